#!/bin/sh
# Writes NAME.float32.out and NAME.float64.out beside each program, from the PyTorch of `$1` (a python).
cd "$(dirname "$0")" || exit 1
for program in *.py; do
    name=${program%.py}
    "$1" "$program" > "$name.float32.out"
    { echo "import torch; torch.set_default_dtype(torch.float64)"; cat "$program"; } | "$1" - > "$name.float64.out"
done
