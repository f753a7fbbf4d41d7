"""The networks of `plumb gpu-bench` in PyTorch: the same layers, sizes, batches and losses (models/ says which).

make(name, batch, small) gives a Step: what it reads, and its loss.
Where TensorFlow pads an image more on one side, PyTorch pads both alike: images are as large, and as much is computed.
"""
import math

import torch
from torch import nn
from torch.nn import functional

PHOTOGRAPH_SIDES = {"alexnet": (227, 67), "vgg-a": (224, 32), "googlenet": (224, 32), "resnet-50": (224, 32)}


class Step:
    """A model with what it reads on the host: numbers, which may lie on the card, and ids, which are always fed."""

    def __init__(self, model, numbers, ids, loss, clip=0):
        self.model, self.numbers, self.ids, self.loss, self.clip = model, numbers, ids, loss, clip


class Sizes:
    """Channels and units as models/image/network.h scales them."""

    def __init__(self, small, width=1 / 32):
        self.width = width if small else 1

    def __call__(self, channels, multiple=1):
        return max(1, math.floor(channels * self.width / multiple + 0.5)) * multiple


def mlp(small):
    scaled = Sizes(small, 1 / 16)
    units = scaled(2048)
    return nn.Sequential(nn.Linear(784, units), nn.ReLU(), nn.Linear(units, units), nn.ReLU(), nn.Linear(units, 10))


def lenet(small):
    scaled = Sizes(small, 1 / 16)
    first, second, hidden = scaled(32), scaled(64), scaled(512)
    return nn.Sequential(nn.Unflatten(1, (1, 28, 28)), nn.Conv2d(1, first, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
                         nn.Conv2d(first, second, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                         nn.Linear(49 * second, hidden), nn.ReLU(), nn.Linear(hidden, 10))


def response_norm(radius, bias, alpha, beta):
    """PyTorch divides alpha by the number of channels that it looks at."""
    size = 2 * radius + 1
    return nn.LocalResponseNorm(size, alpha * size, beta, bias)


def classifier(inputs, hidden, classes):
    return [nn.Flatten(), nn.Linear(inputs, hidden), nn.ReLU(), nn.Dropout(0.5), nn.Linear(hidden, hidden), nn.ReLU(),
            nn.Dropout(0.5), nn.Linear(hidden, classes)]


def alexnet(small):
    scaled = Sizes(small)
    one, two, three, four, five = (scaled(filters, 2) for filters in (96, 256, 384, 384, 256))
    side = 1 if small else 6
    norm = lambda: response_norm(2, 2.0, 1e-4, 0.75)
    return nn.Sequential(
        nn.Conv2d(3, one, 11, 4), nn.ReLU(), norm(), nn.MaxPool2d(3, 2),
        nn.Conv2d(one, two, 5, padding=2, groups=2), nn.ReLU(), norm(), nn.MaxPool2d(3, 2),
        nn.Conv2d(two, three, 3, padding=1), nn.ReLU(), nn.Conv2d(three, four, 3, padding=1, groups=2), nn.ReLU(),
        nn.Conv2d(four, five, 3, padding=1, groups=2), nn.ReLU(), nn.MaxPool2d(3, 2),
        *classifier(five * side * side, scaled(4096), classes_of(small)))


def vgg_a(small):
    scaled = Sizes(small)
    layers, channels = [], 3
    for stage in ([64], [128], [256, 256], [512, 512], [512, 512]):
        for filters in stage:
            layers += [nn.Conv2d(channels, scaled(filters), 3, padding=1), nn.ReLU()]
            channels = scaled(filters)
        layers.append(nn.MaxPool2d(2))
    side = 1 if small else 7
    return nn.Sequential(*layers, *classifier(channels * side * side, scaled(4096), classes_of(small)))


class Inception(nn.Module):
    """Four paths beside each other."""

    def __init__(self, channels, one, three_reduce, three, five_reduce, five, pool):
        super().__init__()
        def path(*layers):
            return nn.Sequential(*(part for layer in layers for part in (layer, nn.ReLU())))
        self.paths = nn.ModuleList([
            path(nn.Conv2d(channels, one, 1)),
            path(nn.Conv2d(channels, three_reduce, 1), nn.Conv2d(three_reduce, three, 3, padding=1)),
            path(nn.Conv2d(channels, five_reduce, 1), nn.Conv2d(five_reduce, five, 5, padding=2)),
            nn.Sequential(nn.MaxPool2d(3, 1, 1), nn.Conv2d(channels, pool, 1), nn.ReLU())])
        self.channels = one + three + five + pool

    def forward(self, x):
        return torch.cat([path(x) for path in self.paths], 1)


def googlenet(small):
    scaled = Sizes(small)
    stages = [[(64, 96, 128, 16, 32, 32), (128, 128, 192, 32, 96, 64)],
              [(192, 96, 208, 16, 48, 64), (160, 112, 224, 24, 64, 64), (128, 128, 256, 24, 64, 64),
               (112, 144, 288, 32, 64, 64), (256, 160, 320, 32, 128, 128)],
              [(256, 160, 320, 32, 128, 128), (384, 192, 384, 48, 128, 128)]]
    norm = lambda: response_norm(2, 1.0, 2e-5, 0.75)
    halve = lambda: nn.MaxPool2d(3, 2, 1)
    first, second = scaled(64), scaled(192)
    layers = [nn.Conv2d(3, first, 7, 2, 3), nn.ReLU(), halve(), norm(), nn.Conv2d(first, first, 1), nn.ReLU(),
              nn.Conv2d(first, second, 3, padding=1), nn.ReLU(), norm()]
    channels = second
    for stage in stages:
        layers.append(halve())
        for sizes in stage:
            layers.append(Inception(channels, *map(scaled, sizes)))
            channels = layers[-1].channels
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.4),
                         nn.Linear(channels, classes_of(small)))


class Bottleneck(nn.Module):
    def __init__(self, inside, channels, stride, first):
        super().__init__()
        outside = 4 * channels
        def normalized(sizes, side, stride=1):
            return [nn.Conv2d(*sizes, side, stride, side // 2, bias=False), nn.BatchNorm2d(sizes[1], 1e-5, 0.01)]
        self.through = nn.Sequential(*normalized((inside, channels), 1), nn.ReLU(),
                                     *normalized((channels, channels), 3, stride), nn.ReLU(),
                                     *normalized((channels, outside), 1))
        self.around = nn.Sequential(*normalized((inside, outside), 1, stride)) if first else nn.Identity()

    def forward(self, x):
        return torch.relu(self.through(x) + self.around(x))


def resnet_50(small):
    scaled = Sizes(small)
    channels = scaled(64)
    layers = [nn.Conv2d(3, channels, 7, 2, 3, bias=False), nn.BatchNorm2d(channels, 1e-5, 0.01), nn.ReLU(),
              nn.MaxPool2d(3, 2, 1)]
    for stage, blocks in enumerate([3, 4, 6, 3]):
        for block in range(blocks):
            inner = scaled(64 << stage)
            layers.append(Bottleneck(channels, inner, 2 if stage and not block else 1, not block))
            channels = 4 * inner
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, classes_of(small)))


class CharLstm(nn.Module):
    def __init__(self, vocabulary, size):
        super().__init__()
        self.embedding, self.lstm = nn.Embedding(vocabulary, size), nn.LSTM(size, size)
        self.logits = nn.Linear(size, vocabulary)

    def forward(self, cell, hidden, words):
        read, _ = self.lstm(self.embedding(words), (hidden[None], cell[None]))
        return self.logits(read.flatten(0, 1))


class Block(nn.Module):
    def __init__(self, size, hidden, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.output = (nn.Linear(size, size) for _ in range(4))
        self.attention_norm, self.hidden_norm = nn.LayerNorm(size), nn.LayerNorm(size)
        self.perceptron = nn.Sequential(nn.Linear(size, hidden), nn.ReLU(), nn.Linear(hidden, size))

    def forward(self, x):
        read = self.attention_norm(x)
        parts = (layer(read).unflatten(-1, (self.heads, -1)).transpose(1, 2)
                 for layer in (self.query, self.key, self.value))
        seen = functional.scaled_dot_product_attention(*parts, is_causal=True)
        x = x + self.output(seen.transpose(1, 2).flatten(2))
        return x + self.perceptron(self.hidden_norm(x))


class Transformer(nn.Module):
    def __init__(self, vocabulary, size, hidden, heads, layers, steps):
        super().__init__()
        self.embedding, self.positions = nn.Embedding(vocabulary, size), nn.Parameter(torch.randn(steps, size) * 0.05)
        nn.init.xavier_uniform_(self.embedding.weight)
        self.blocks = nn.Sequential(*(Block(size, hidden, heads) for _ in range(layers)))
        self.norm = nn.LayerNorm(size)

    def forward(self, words):
        rows = self.embedding(words) * math.sqrt(self.embedding.embedding_dim) + self.positions
        return (self.norm(self.blocks(rows)) @ self.embedding.weight.t()).flatten(0, 1)


def classes_of(small):
    return 10 if small else 1000


def image_step(model, shape, classes):
    images, labels = torch.rand(shape), torch.randint(classes, shape[:1])
    return Step(model, [images], [labels], lambda net, x, y: functional.cross_entropy(net(x), y))


def lstm_step(batch, small):
    vocabulary, size, steps = (9, 4, 3) if small else (128, 512, 50)
    words, targets = (torch.randint(vocabulary, (steps, batch)) for _ in range(2))
    state = [torch.zeros(batch, size) for _ in range(2)]
    return Step(CharLstm(vocabulary, size), state, [words, targets],
                lambda net, c, h, x, y: functional.cross_entropy(net(c, h, x), y.flatten()), clip=5)


def transformer_step(batch, small):
    sizes = (9, 8, 12, 2, 2, 4) if small else (37_000, 512, 2048, 8, 6, 64)
    words, targets = (torch.randint(sizes[0], (batch, sizes[-1])) for _ in range(2))
    return Step(Transformer(*sizes), [], [words, targets],
                lambda net, x, y: functional.cross_entropy(net(x), y.flatten()))


def make(name, batch, small):
    if name == "lstm":
        return lstm_step(batch, small)
    if name == "transformer":
        return transformer_step(batch, small)
    if name in PHOTOGRAPH_SIDES:
        side = PHOTOGRAPH_SIDES[name][small]
        builders = {"alexnet": alexnet, "vgg-a": vgg_a, "googlenet": googlenet, "resnet-50": resnet_50}
        return image_step(builders[name](small), (batch, 3, side, side), classes_of(small))
    return image_step({"mlp": mlp, "lenet": lenet}[name](small), (batch, 784), 10)
