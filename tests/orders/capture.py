"""Captures what real PyTorch prints: python capture.py NAME.py > NAME.out (float64, as the tests run)."""
import runpy
import sys
import warnings

import torch

warnings.simplefilter("ignore")
torch.set_default_dtype(torch.float64)
runpy.run_path(sys.argv[1], run_name="__main__")
