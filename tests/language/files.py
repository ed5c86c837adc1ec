import os, os.path as osp, glob, shutil, tempfile
from pathlib import Path
print(os.path.join('a', 'b', 'c.txt'), osp.basename('/x/y.pt'), osp.dirname('/x/y.pt'), osp.splitext('m.tar.gz'))
print(osp.exists('nope'), osp.isfile('nope'), os.environ.get('NOPE'), os.environ.get('NOPE', 'd'), os.getenv('NOPE_2', 3))
print(osp.normpath('a//b/../c/./d'), osp.split('/a/b'), osp.isabs('a'), osp.splitext('.bashrc'), osp.relpath('/a/b/c', '/a/d'))
with tempfile.TemporaryDirectory() as d:
    name = os.path.join(d, 'sub', 'notes.txt')
    os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, 'w') as f:
        print(f.write('one\ntwo\nthree\n'))
        f.write('four')
    with open(name) as f:
        print([line.strip() for line in f])
    with open(name) as f:
        print(repr(f.readline()), repr(f.read(5)), f.readlines())
    with open(name, 'a') as f:
        f.write('\nfive')
    print(Path(name).read_text().split('\n'))
    print(os.listdir(d), [os.path.basename(p) for p in glob.glob(os.path.join(d, 'sub', '*.txt'))], glob.glob('*.nope'))
    os.remove(name)
    print(os.path.exists(name))
    try:
        os.makedirs(os.path.dirname(name))
    except FileExistsError as e:
        print('exists', e.args[:2])
try:
    open('nope.txt')
except FileNotFoundError as e:
    print(e)
try:
    os.listdir('nope')
except OSError as e:
    print(type(e).__name__, e)
p = Path('data') / 'set' / 'x.tar.gz'
print(p, repr(p), p.name, p.stem, p.suffix, p.suffixes, p.parent, p.parts, p.exists(), str(p.with_suffix('.zip')))
print(Path('/a/b').joinpath('c'), Path('/a') / '/b', Path('a') == Path('./a'), Path('.'), Path('a/b').relative_to('a'), list(Path('a/b/c').parents))
