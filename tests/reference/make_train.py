#!/usr/bin/env python3
"""Makes train.txt beside it: what PyTorch's optimisers and schedules do, in float64.

Run it with a Python that has torch (Debian: python3-torch); the tests read train.txt and need no
Python. Values and gradients are multiples of 1/256, so that float and double read the same
numbers. The file holds arrays one after another: a line "name rows columns", then one line a row.
"""
import pathlib

import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(20141222)
STEPS, NUMBERS = 12, 10
arrays = {}


def keep(name, value):
    value = torch.as_tensor(value, dtype=torch.float64).detach()
    arrays[name] = value.reshape(1, -1) if value.dim() < 2 else value


def draw(name, *shape):
    keep(name, torch.randint(-256, 257, shape).double() / 256)
    return arrays[name]


start = draw("start", 1, NUMBERS)
gradients = draw("gradients", STEPS, NUMBERS)
gradients[:, 3] = 0  # a parameter that nothing pulls
gradients[4] *= 64  # one step with huge gradients
keep("gradients", gradients)

# Values after every step --------------------------------------------------------------------------
RULES = {
    "adam": lambda p: torch.optim.Adam(p, lr=0.01),
    "adam_2017": lambda p: torch.optim.Adam(p, lr=0.03, betas=(0.9, 0.98), eps=1e-9),
    "rmsprop": lambda p: torch.optim.RMSprop(p, lr=0.01),
    "sgd": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
    "sgd_plain": lambda p: torch.optim.SGD(p, lr=0.1),
}
for name, make in RULES.items():
    for clipped in (False, True):
        w = torch.nn.Parameter(start.clone())
        optimizer = make([w])
        values, norms = [], []
        for step in range(STEPS):
            w.grad = gradients[step : step + 1].clone()
            if clipped:
                norms.append(torch.nn.utils.clip_grad_norm_([w], 1.5))
            optimizer.step()
            values.append(w.detach().clone())
        keep(name + ("/clipped" if clipped else "/values"), torch.cat(values))
        if clipped:
            keep("norms", torch.stack(norms).reshape(-1, 1))

# Rates by step ------------------------------------------------------------------------------------
def rates(scheduler, optimizer, steps):
    found = []
    for _ in range(steps):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return found


w = torch.nn.Parameter(torch.zeros(1))
w.grad = torch.zeros(1)
sgd = torch.optim.SGD([w], lr=0.25)
keep("rates/step", rates(torch.optim.lr_scheduler.StepLR(sgd, 5, 0.3), sgd, 23))
sgd = torch.optim.SGD([w], lr=1.0)
d_model, warm_up = 512, 7
paper = lambda s: d_model**-0.5 * min((s + 1) ** -0.5, (s + 1) * warm_up**-1.5)
keep("rates/warm_up", rates(torch.optim.lr_scheduler.LambdaLR(sgd, paper), sgd, 30))

with open(pathlib.Path(__file__).with_name("train.txt"), "w") as out:
    for name, value in arrays.items():
        out.write(f"{name} {value.shape[0]} {value.shape[1]}\n")
        for row in value:
            out.write(" ".join(f"{x:.17g}" for x in row.tolist()) + "\n")
