import numpy as np
from collections import deque
scores = deque([1., 2., 6.], maxlen=3)
print(np.mean(scores), np.array(scores), np.array([deque([1, 2]), deque([3, 4])]), np.max(scores), np.std(deque([2, 4])))
class S(list): pass
print(np.array(S([1, 2])), np.mean(S([1, 2])))
