"""The scaling rules in binary64, written from their definitions (see crates/encoding/src/scaling.rs), independent of
transformers: what a family's modules are compared with to learn which rules they follow."""

import math


def plain(base, width):
    return [base ** (-2.0 * k / width) for k in range(width // 2)]


def mscale(factor, m=1.0):
    return 0.1 * m * math.log(factor) + 1.0 if factor > 1.0 else 1.0


def law(rule, base, width, p, longest):
    """(frequencies, gain) of a rule; p its parameters, `longest` the model's max_position_embeddings."""
    omega = plain(base, width)
    if rule == "dynamic" and p.get("alpha"):  # NTK-aware scaling by a fixed α, at every length
        return plain(base * p["alpha"] ** (width / (width - 2)), width), 1.0
    original = p.get("original_max_position_embeddings", longest)
    if rule in ("default", "dynamic"):  # dynamic: as long as the sequence does not exceed max_position_embeddings
        return omega, 1.0
    if rule == "linear":
        return [w / p["factor"] for w in omega], 1.0
    if rule == "llama3":
        low, high, s = p["low_freq_factor"], p["high_freq_factor"], p["factor"]
        scaled = []
        for w in omega:
            periods = original * w / (2 * math.pi)
            b = min(1.0, max(0.0, (periods - low) / (high - low)))
            scaled.append((1 - b) * w / s + b * w)
        return scaled, 1.0
    if rule == "yarn":
        s = p["factor"] if p["factor"] is not None else longest / original
        end = lambda beta: width * math.log(original / (beta * 2 * math.pi)) / (2 * math.log(base))
        low, high = end(p.get("beta_fast") or 32), end(p.get("beta_slow") or 1)
        if p.get("truncate", True):
            low, high = math.floor(low), math.ceil(high)
        low, high = max(low, 0), min(high, width - 1)
        high = low + 0.001 if low == high else high
        ramp = [min(1.0, max(0.0, (k - low) / (high - low))) for k in range(width // 2)]
        m, a = p.get("mscale"), p.get("mscale_all_dim")
        gain = mscale(s, m) / mscale(s, a) if m and a else mscale(s)
        gain = p["attention_factor"] if p.get("attention_factor") is not None else gain
        return [w * (1 - r) + w / s * r for w, r in zip(omega, ramp)], gain
    if rule in ("longrope", "su"):
        s = p.get("factor") or longest / original
        gain = math.sqrt(1 + math.log(s) / math.log(original)) if s > 1 else 1.0
        gain = p["attention_factor"] if p.get("attention_factor") is not None else gain
        return [w / f for w, f in zip(omega, p["short_factor"])], gain
    if rule == "proportional":
        kept = int(p.get("partial_rotary_factor", 1.0) * width // 2)
        return [w / p.get("factor", 1.0) if k < kept else 0.0 for k, w in enumerate(omega)], 1.0
    raise ValueError(rule)


def agrees(cache, frequencies, gain):
    """Whether measured frequencies (from binary32 sines, so to some 1e-5) are these."""
    if len(cache.frequencies) != len(frequencies) or abs(cache.gain - gain) > 1e-5:
        return False
    return all(abs(f - g) <= 2e-5 * g + 1e-10 for f, g in zip(cache.frequencies, frequencies))
