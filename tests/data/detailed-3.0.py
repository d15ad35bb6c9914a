#!/usr/bin/env python3
"""Makes detailed-3.0.json: the expected values of the cost model `detailed`, version 3.0.

A second program, written from resources/handbook/models/detailed.md and sharing nothing with src/solver. It checks
itself on detailed-2.0.json first, whose values came from elsewhere: with the constants of 2.0 it must give them again.

    python3 tests/data/detailed-3.0.py          # writes the file
"""
import copy, json, math, pathlib

here = pathlib.Path(__file__).parent
STACKS = {  # element-wise constant, host constant, overlap of DP, TP, PP, gradient bytes, dropout
    'megatron_v2': ('ew_v2', 'cpu_v2', False, False, False, 2, True),
    'megatron_ds': ('ew_v2', 'cpu_v2', False, False, False, 2, True),
    'megatron_core': ('ew_core', 'cpu_core', True, True, True, 2, False),
    'fsdp': ('ew_fsdp', 'cpu_fsdp', True, False, False, 4, False),
    'fsdp_compile': ('ew_fsdp_compile', 'cpu_fsdp', True, False, False, 4, False),
    'xla': ('ew_xla', None, True, True, True, 4, False),
    'research': ('ew_research', 'cpu_research', False, False, False, 4, False),
}
MEASURED_KERNELS = {1: ('A100', 'Hopper'), 2: ('A100', 'Hopper'), 3: ('Hopper', 'Blackwell', 'BlackwellUltra', 'TPU', 'CDNA')}


def price(x, k):
    """x: inputs of a case; k: constants by key in SI units. Section numbers are the handbook's."""
    acc, mod = x['acc'], x['model']
    t, p, v, c, r = (x.get(n) or 1 for n in ('tp', 'pp', 'vs', 'cp', 'dp'))
    e, b = x.get('ep') or 1, x.get('mb') or 1
    te = x.get('etp') or (1 if e > 1 else t)
    z, S = x.get('zero') or 0, x.get('shard') or 0
    stack = x.get('stack') or 'megatron_core'
    ew, host, o_dp, o_tp, o_pp, wg, drop = STACKS[stack]
    o_dp, o_tp, o_pp = (x[n] if x.get(n) is not None else d for n, d in (('dp_overlap', o_dp), ('tp_overlap', o_tp), ('p2p_overlap', o_pp)))
    wg = x.get('grad_bytes') or wg
    drop = x['dropout'] if x.get('dropout') is not None else drop
    graphs, o_ep, lora = bool(x.get('graphs')), bool(x.get('ep_overlap')), bool(x.get('lora'))
    sp, rec = bool(x.get('sp')), x.get('recompute') or 'none'
    share = x.get('recompute_share') if rec != 'none' else None
    bits, flash = x.get('prec') or 16, 3 if x.get('flash') is None else x['flash']
    causal = x['causal'] if x.get('causal') is not None else True
    n, s, G = x['n'], x['seq'], x['batch']
    fam, peak16 = acc['family'], acc['peak16']
    peak8 = acc.get('peak8') or peak16
    peak = {16: peak16, 8: peak8, 4: acc.get('peak4') or peak8}[bits]
    tpu, v6e = fam.startswith('TPU'), fam == 'TPUv6e'
    base = 'TPU' if tpu else fam
    old, eager = stack in ('megatron_v2', 'megatron_ds'), stack in ('fsdp', 'research')
    fsdp, research = eager or stack == 'fsdp_compile', stack == 'research'
    framework = fsdp and not research and k['fsdp_memory'] > 0
    compiled_loss = stack == 'fsdp_compile' if x.get('compiled_loss') is None else x['compiled_loss']
    L, h, a, V = mod['layers'], mod['hidden'], mod['heads'], mod['vocab']
    kv, d = mod.get('kv_heads') or a, mod.get('head_dim') or h // a
    g, f = 2 if mod.get('gated') else 1, mod['ffn_hidden']
    mla, tied = bool(mod.get('mla')), bool(mod.get('tied'))
    E = mod.get('experts') or 0
    q, fe, se = (mod.get('top_k') or 0, mod.get('moe_ffn_hidden') or 0, mod.get('shared_experts') or 0) if E else (0, 0, 0)
    Le = (mod['moe_layers'] if mod.get('moe_layers') is not None else L) if E else 0
    scale, straggler, imbalance = x.get('work_scale') or 1, x.get('straggler') or 1, x.get('imbalance') or 1
    bubble_share = 1 if x.get('bubble_share') is None else x['bubble_share']

    # 2. Rates
    beta = k['hbm'] * acc['hbm_bw']
    gen = k['gemm_TPUv6e'] if v6e else 1
    g16 = k['gemm_' + base]
    g8 = k.get('gemm8_' + base, g16)
    gq = {16: g16, 8: g8, 4: k.get('gemm4_' + base, g8)}[bits]
    R, R16 = gq * gen * peak, g16 * gen * peak16
    alpha = next((k[f'attn{i}_{base}'] for i in list(range(flash, 0, -1)) + [2, 3] if base in MEASURED_KERNELS[i]), .35)
    A = alpha * peak16
    up = k['ici' if tpu else 'up'] * acc['up']
    out = k['out'] * acc['nic']
    a1, a2 = k['a_up'], k['a_out']
    launch = 0 if graphs or tpu else k['launch']
    D = acc['domain']
    eps = k['ew_xla_gpu'] if stack == 'xla' and not tpu else k[ew]
    eta = scale * (k['slow_ds'] if stack == 'megatron_ds' else 1)
    o = 2 if bits == 16 else 1
    scaling = {16: 0, 8: k['scale8_compile' if stack == 'fsdp_compile' else 'scale8'], 4: k['scale4']}[bits]
    own, chunk, iota = k['own_windows'] > 0, k['chunk'], k['interf']
    T, sigma = b * s / c, t if sp else 1
    m = max(1.0, G / (r * b))

    def group(size, apart):
        loc = min(size, max(1, D // apart))
        nod = math.ceil(size / loc)
        return size, loc, nod, up if nod <= 1 else min(up, out * loc)

    def gather(gr, size):
        N, loc, nod, bus = gr
        if N <= 1:
            return 0.0
        return size * (N - 1) / N / bus + a1 * (math.log2(loc) if tpu else loc - 1) + a2 * (nod - 1) + launch

    def reduce(gr, size):
        N, loc, nod, bus = gr
        if N <= 1:
            return 0.0
        return 2 * size * (N - 1) / N / bus + 2 * a1 * (loc - 1) + 2 * a2 * math.log2(nod) + launch

    def hide(y, w):
        return max(y * chunk, y - (1 - chunk) * w)

    def floor(work, launching):
        M, low = max(work, launching), min(work, launching)
        return M * (1 + k['mix'] * (low / M) ** 4) if M > 0 else M

    # 3. Weight products: forward, gradient of the input, gradient of the weights
    def product(M, K, N, rate, width, scaled, visit=0.0):
        compute = 2 * M * K * N / rate
        fw = compute + (width * (M * K + K * N) + 2 * M * N + scaled * M * K) / beta + visit
        bi = compute + (width * (M * N + K * N) + 2 * M * K + scaled * M * N) / beta + visit * (2 if lora else 1)
        bw = 0.0 if lora else compute + (width * (M * K + M * N) + 2 * max(2, wg) * K * N) / beta + visit
        return fw, bi + bw

    if mla:
        attention_products = [(h, 1536, ''), (1536, 192 * a, 'n'), (h, 576, ''), (512, 256 * a, 'n'), (128 * a, h, 'k')]
    else:
        attention_products = [(h, (a + 2 * kv) * d, 'n'), (a * d, h, 'k')]
    qk, vd = (192, 128) if mla else (d, d)
    rho = T * q * (te / t if te < t else 1) * imbalance

    class Layer:
        pass

    def layer(expert):
        y = Layer()
        ffn = se * fe if expert else f
        products = attention_products + ([(h, g * ffn, 'n'), (ffn, h, 'k')] if ffn > 0 else [])
        y.parameters = sum(K * N for K, N, _ in products) + 2 * h + (h * E if expert else 0)
        y.expert_parameters = E * (g + 1) * h * fe if expert else 0
        y.flops = scale * 2 * (sum(K * N for K, N, _ in products) + (q * (g + 1) * h * fe if expert else 0) + s * a * (qk + vd) * (.5 if causal else 1))
        fw = bw = 0.0
        for K, N, cut in products:
            one = product(T, K / t if cut == 'k' else K, N / t if cut == 'n' else N, R, o, scaling)
            fw, bw = fw + one[0], bw + one[1]
        if expert:
            local = max(1.0, E / e)
            for K, N in ((h, g * fe / te), (fe / te, h)):
                one = product(rho / local, K, N, R, o, scaling, k['expert_s'])
                fw, bw = fw + local * one[0], bw + local * one[1]
        # 4. Element-wise work
        traffic = T / sigma * h * (30 if drop else 20) + T / t * (4 * (a + kv) * d + 2 * (g + 1) * ffn)
        if expert:
            traffic += rho * (2 * (g + 1) * fe / te + 12 * k['moe_ew'] * h)
        if lora:
            traffic += k['lora'] * T / t * sum(K + N for K, N, _ in attention_products[:2])
        elementwise = eps * traffic / beta
        # 5. Attention
        F = 2 * T * s * a / t * (qk + vd)
        if flash:
            attention = F * (.5 if causal else 1) / A
            attention_back = k['bwd_attn'] * attention
        else:
            chi = k['unaligned'] if d % 8 else 1
            attention = chi * F / R16 + k['score_bytes'] * T * s * a / t / beta
            attention_back = 2 * attention
        # 6. A layer
        fs, bs = (fw + elementwise + attention) * eta, (bw + 2 * elementwise + attention_back) * eta
        pipelined = research and t > 1 and p > 1 and n > D
        tau = 0.0
        if not graphs and stack != 'xla':
            tau = k['cpu_moe'] if expert else k['cpu_research_pp' if pipelined else host]
        theta = k['tp_host'] if old else k['tp_host_research_pp' if pipelined else 'tp_host_research'] if research else 0
        tau *= 1 + theta * (t - 1)
        y.f, y.b = floor(fs, tau), floor(bs, 1.5 * tau)
        part = 1 if share is None else share
        if rec == 'full':
            again = floor(part * fs, part * tau)
        elif rec == 'selective' and share is not None:
            again = share * fs
        elif rec == 'selective' and not flash:
            again = attention * scale
        elif rec == 'selective' and fsdp:
            again = (.5 * fw + elementwise) * scale
        else:
            again = 0.0
        y.again = again
        core, core_back = (attention * scale, attention_back * scale) if own else (0, 0)
        wf, wb, wa = max(0, y.f - core), max(0, y.b - core_back), max(0, again - part * core)
        y.F, y.B = y.f, y.b + again
        y.tp = y.tp_x = y.cp = y.cp_x = y.ep = y.ep_x = 0.0
        # 7. Collectives of a layer
        if c > 1:
            gr = group(c, t)
            size = 2 * T * a / t * 320 if mla else 4 * T * max(kv / t, 1) * d
            one = size * (c - 1) / gr[3] + (c - 1) * (a1 if gr[2] <= 1 else a2)
            fused = F * (.5 if flash and causal else 1) / A
            cover = core + y.f - fs if own else fused
            cover_back = core_back + y.b - bs if own else 2.5 * fused
            xf, xb = max(one / c, one - cover), max(2 * one / c, 2 * one - cover_back)
            y.cp, y.cp_x = 3 * one, xf + xb
            y.F, y.B = y.F + xf, y.B + xb
        tf = tb = xtf = xtb = 0.0
        if t > 1:
            gr = group(t, 1)
            size = 2 * T * h
            one = gather(gr, size)
            pair = 2 * one if sp else reduce(gr, size)
            half = .5 if expert and te < t else 1
            tf = half * 2 * pair
            tb = half * (2 * pair + (2 * one if sp and not o_tp else 0))
            ta = half * 2 * part * pair if rec == 'full' else 0.0
            xtf, xtb = (hide(tf, wf), hide(tb, wb)) if o_tp else (tf, tb)
            xta = (hide(ta, wa) if o_tp else ta) if rec == 'full' else 0.0
            y.tp, y.tp_x = tf + tb + ta, xtf + xtb + xta
            y.F, y.B = y.F + xtf, y.B + xtb + xta
        if expert and e > 1:
            gr = group(e, te)
            size = 2 * rho * h
            inside = size * (1 - 1 / e) / up
            one = inside + a1 * (e - 1)
            if gr[2] > 1:
                nu = gr[2]
                reach = nu * (1 - (1 - 1 / nu) ** q) * (nu - 1) / nu
                one = max(size / q * reach / out, inside) + a2 * nu
            times = 2 + (2 * part if rec == 'full' else 0)
            y.ep = 4 * one
            if o_ep:
                def beside(time, tp_time, tp_exposed, window):
                    return hide(tp_time + time, window) - tp_exposed if o_tp else hide(time, window)
                xf, xb = beside(2 * one, tf, xtf, wf), beside(times * one, tb, xtb, wb)
                y.ep_x = xf + xb
            else:
                xf, xb = 2 * one, times * one
                y.ep_x = 4 * one
            y.F, y.B = y.F + xf, y.B + xb
        # 9. Activations of a token
        saved = 2 if bits == 16 else 1
        kept = (4 * h + (saved * h if lora else 2 * saved * h) + (2 * h if drop else 0)) / sigma
        kept += 2 * (1536 + 2 * 576) + 2 * a * 640 / t if mla else (2 * (a + 2 * kv) * d + 2 * a * d) / t
        if not flash and rec != 'selective':
            kept += 5 * a * s / t
        wide = (k['lora8_activations'] if saved < 2 else 2) * g if lora else 2 * g + saved
        if expert:
            kept += q * (te / t if te < t else 1) * (4 * h + wide * fe / te)
        kept += wide * ffn / t
        if eager:
            kept += 4 * h / sigma + 2 * (a + kv) * d / t + (2 * ffn / t if g > 1 else 0)
        if framework and sp:
            kept += 2 * 2 * (h - h / t)  # the inputs of both halves, gathered
        y.working, y.kept = 0.0, kept
        if rec == 'full':
            y.working, y.kept = kept, part * 2 * h / sigma + (1 - part) * kept
        elif rec == 'selective' and framework:
            # Elements that the products put out, in the order in which a layer runs them; the policy saves the 1st, 3rd, 5th ...
            put_out = [1536, 192 * a / t, 576, 256 * a / t, h] if mla else [a * d / t, kv * d / t, kv * d / t, h]
            put_out += ([ffn / t] * g + [h]) if ffn > 0 else []
            y.kept = 2 * (h / sigma + a * vd / t + sum(put_out[::2]))
            y.kept += 2 * 2 * h / sigma if sp and t > 1 else 0  # scattered after both halves
            y.kept = min(kept, y.kept)
            y.working = kept - y.kept
        return y

    Ld = L - Le
    dense = layer(False) if Ld > 0 else None
    expert = layer(True) if Le > 0 else None

    def total(name):
        return (Ld * getattr(dense, name) if dense else 0.0) + (Le * getattr(expert, name) if expert else 0.0)

    emb = V * h
    P, X = total('parameters'), total('expert_parameters')
    # 8. The step
    out_product = product(T, h, V / t, R16, 2, 0)
    logits = sum(out_product) + (k['logit_v2'] if old else 16) * T * V / t / beta
    embedding = 12 * T / sigma * h / beta
    held_dense = P / (t * p) + emb / t * (2 if p == 1 and not tied else 1)
    held_expert = X / (e * te * p)
    dp_group = group(r * c, t)
    edp_group = group(max(1.0, r * c * t / (e * te)), e * te)
    dp = dp_x = layers_x = extra_f = extra_b = 0.0
    F, B = total('F') / L, total('B') / L
    whole = fsdp and k['pp_gather_once'] > 0 and z == 3 and p > 1
    if z == 3:
        gr = group(S or r * c, t)
        if stack == 'megatron_ds' and gr[2] > 1:
            gr = (*gr[:3], out)
        size = (P / t + X / (e * te)) / L
        get = gather(gr, 2 * size)
        put = 0.0 if lora else gather(gr, wg * size)
        extra_f = max(F + iota * min(get, F), get) - F
        extra_b = max(B + iota * min(get + put, B), get + put) - B
        once = get + put + 2 * gather(gr, 2 * emb / t * (2 if p == 1 and not tied else 1))
        rounds = 1 if whole else m
        layers_x = (extra_f + extra_b) * L / p * rounds
        dp += (2 * get + put) * L / p * rounds
        dp_x += layers_x + once
        if whole:
            extra_f, extra_b = extra_f / m, extra_b / m

    def both(kind):
        return kind.F + kind.B + extra_f + extra_b if kind else 0.0

    def layers_time(nd, count):
        return nd * both(dense) + (count - nd) * both(expert)

    full = math.ceil(L / (p * v)) * v
    short = full * p - L
    last = max(0, full - math.ceil(short / 2)) if p > 1 else L
    first = max(0, full - (short - math.ceil(short / 2)))

    def dense_among(before, count):
        return max(0, min(Ld - before, count))

    stage_f, stage_b = total('F') / p, total('B') / p
    short_f, short_b = stage_f, stage_b
    if p == 1:
        slowest = layers_time(Ld, L) + embedding + logits
    else:
        d1, dn = dense_among(0, first), dense_among(L - last, last)
        slowest = max(layers_time(d1, first) + embedding, layers_time(dn, last) + logits)
        if p > 2:
            slowest = max(slowest, layers_time(0 if Le >= full else full, full))
            if own and Le >= full:
                slowest = max(slowest, layers_time(dense_among(first, full), full))
        for nd, count in ((d1, first), (dn, last)):
            short_f = min(short_f, (nd * dense.F if dense else 0) + ((count - nd) * expert.F if expert else 0))
            short_b = min(short_b, (nd * dense.B if dense else 0) + ((count - nd) * expert.B if expert else 0))
    everything = layers_time(Ld, L) + embedding + logits
    bubble = bubble_share * (everything - slowest) / v
    tp, tp_x, cp, cp_x, ep, ep_x = (total(name) * m / p for name in ('tp', 'tp_x', 'cp', 'cp_x', 'ep', 'ep_x'))
    pp_x = 0.0
    if p > 1:
        inside = 2 * t * c * r <= D
        size = 2 * T * h
        hop = (size / t if sp or old else size) / (up if inside else out) + (a1 if inside else a2)
        if old:
            hop += gather(group(t, 1), size)
        hidden = v > 1 and o_pp
        if not hidden:
            hop += k['p2p_host'] if old else k['p2p_host_research'] if research else 0
        pp_x = 2 * hop * (p - 1) + (0 if hidden else 2 * hop * v * m)
    shards = S if z == 1 and S > 0 else r * c
    if z < 3 and not lora:
        wf, wb = (short_f, short_b) if own else (stage_f, stage_b)
        rounds = 1 + (v - 1) / v * (min(p, m) - 1)

        def exchange(kind, width, window):
            time = kind(dp_group, width * held_dense) + kind(edp_group, width * held_expert)
            if not o_dp or time <= 0:
                return time, time
            wait = max(time * p / L, time - window)
            return time, wait + iota * (time - wait)

        parts = [exchange(gather, 2, rounds * wf)] if z >= 1 else []
        parts.append(exchange(reduce if z == 0 else gather, wg, rounds * wb))
        dp, dp_x = dp + sum(y for y, _ in parts), dp_x + sum(y for _, y in parts)
        if z == 1 and fsdp and not research:
            dp, dp_x = dp + k['bcast'] * (shards - 1), dp_x + k['bcast'] * (shards - 1)
    if z == 3 and 0 < S < r * c and not lora:
        time = reduce(group(r * c / S, t * S), wg * held_dense / S)
        window = (total('B') + L * extra_b) / p
        dp, dp_x = dp + time, dp_x + (max(time * p / L, time - window) if o_dp else time)
    if p > 1 and tied and not lora:
        loc = 2 if t * p * c * r <= D else 1
        time = reduce((2, loc, 2 // loc, up if loc == 2 else min(up, out)), wg * emb / t)
        dp, dp_x = dp + time, dp_x + time
    optimizer = 0.0
    if not lora:
        updated = held_dense / shards + held_expert / min(shards, edp_group[0]) if z >= 1 else held_dense + held_expert
        optimizer = (k['opt_bytes'] * updated + (k['norm_bytes'] * (held_dense + held_expert) if z < 3 else 0)) / beta
    step = straggler * (m * slowest + bubble + pp_x + dp_x - layers_x + optimizer) + k['step_s']
    model_flops = 3 * total('flops') * G * s + 6 * emb * G * s

    # 9. Memory
    def stage(nd, count, in_flight, ends_in, ends_out):
        ne = count - nd
        twice = ends_in and ends_out and not tied
        embeddings = ((2 if twice else 1) if ends_in or ends_out else 0) * emb / t
        yd = (nd * dense.parameters if dense else 0) / t + (ne * expert.parameters if expert else 0) / t + embeddings
        ye = ne * expert.expert_parameters / (e * te) if expert else 0
        al = yd + ye
        if z == 3:
            N = S or r * c
            largest = max([emb / t] + ([dense.parameters / t] if dense else [])
                          + ([expert.parameters / t + expert.expert_parameters / (e * te)] if expert else []))
            weights = 4 * al / N + (2 * al if whole else 4 * largest)
            gradients = 4 * al / N + (wg * al if whole else 2 * largest)
            states = 8 * al / N
        else:
            primary8 = fam in ('Blackwell', 'BlackwellUltra') and stack == 'megatron_core' and not lora
            width = 4 if stack == 'megatron_ds' else k['lora8_weights'] if lora and bits == 8 else .6 if lora and bits == 4 \
                else k['weights8'] if bits == 8 and primary8 else 2
            weights = width * al
            if lora and x.get('base_bytes'):
                weights = x['base_bytes'] * (al - embeddings) + 2 * embeddings
            gb = wg + k['ds_gradient_copy'] if stack == 'megatron_ds' and wg == 4 else wg
            eg = r * c * t / (e * te)
            gradients = gb * (yd / (r * c) + ye / eg) if z == 2 else gb * al
            states = 12 * (yd / shards + ye / min(shards, eg)) if z >= 1 else 12 * al
        if lora:
            gradients = states = 0.0
        acts = T * ((nd * dense.kept if dense else 0) + (ne * expert.kept if expert else 0)) * in_flight
        acts += T * max(dense.working if nd > 0 else 0, expert.working if ne > 0 else 0)
        # Logits and their gradient in 32 bits; logarithmic softmax and two gradients; logits and their gradient in 16.
        logit = 8 if lora or not framework else 4 if compiled_loss else 12
        return weights, gradients, states, acts, logit * T * V / t if ends_out else 0.0

    if p == 1:
        stages = [stage(Ld, L, 1, True, True)]
    else:
        I1 = min(m, 2 * p) if bubble_share == 0 else min(m, p) if v == 1 else min(m, p * (1 + (p - 1) / (p * v)))
        I2 = 1 if v == 1 else min(m, max(1.0, I1 - p + 1))
        stages = [stage(dense_among(0, first), first, I1, True, False)]
        if p > 2:
            nd = 0 if Le >= full * (p - 1) else dense_among(first, full)
            stages.append(stage(nd, full, max(1.0, I1 - 1), False, False))
        stages.append(stage(dense_among(L - last, last), last, I2, False, True))
    fullest = stages[0]
    for other in stages[1:]:
        fullest = other if sum(other) > sum(fullest) else fullest
    allocated = sum(fullest)
    return {
        'step_time_s': step, 'compute_time_s': m * slowest - tp_x - cp_x - ep_x - layers_x, 'bubble_time_s': bubble,
        'tp_comm_time_s': tp, 'tp_exposed_s': tp_x, 'cp_comm_time_s': cp, 'cp_exposed_s': cp_x, 'ep_comm_time_s': ep,
        'ep_exposed_s': ep_x, 'pp_exposed_s': pp_x, 'dp_comm_time_s': dp, 'dp_exposed_s': dp_x,
        'optimizer_time_s': optimizer, 'overhead_time_s': k['step_s'], 'straggler_factor': straggler,
        'forward_layer_s': F + extra_f, 'backward_layer_s': B + extra_b, 'logits_s': logits, 'microbatches': m,
        'model_flops': model_flops, 'mfu16': model_flops / (n * peak16 * step), 'tokens_per_s': G * s / step,
        'memory': {'total_bytes': allocated, 'weights_bytes': fullest[0], 'gradients_bytes': fullest[1],
                   'optimizer_bytes': fullest[2], 'activations_bytes': fullest[3], 'other_bytes': fullest[4],
                   'device_bytes': 1.06 * allocated + 2.5e9, 'capacity_bytes': acc['hbm']},
    }


def constants(column):
    """The table of section 10: key, symbol, what, 3.0, 2.0, 1.0, range; milliseconds and microseconds to seconds."""
    found = {}
    for line in (here / '../../resources/handbook/models/detailed.md').read_text().splitlines():
        cells = [cell.strip() for cell in line.strip('|').split('|')]
        if line.startswith('| `') and len(cells) == 7:
            number, _, unit = cells[3 + column].partition(' ')
            found[cells[0].strip('`')] = float(number) * {'': 1, 'ms': 1e-3, 'us': 1e-6}[unit]
    return found


def worst(expected, computed, path=''):
    """The largest relative difference and where it is."""
    if isinstance(expected, dict):
        return max((worst(expected[key], computed[key], f'{path}/{key}') for key in expected if key in computed), default=(0, path))
    if isinstance(expected, bool) or not isinstance(expected, (int, float)):
        return 0, path
    return abs(expected - computed) / max(abs(expected), abs(computed), 1e-15), path


def later():
    """Cases of what is new in 3.0."""
    h100 = {'family': 'Hopper', 'peak16': 989.4e12, 'peak8': 1978.9e12, 'peak4': 1978.9e12, 'hbm_bw': 3350e9, 'hbm': 80e9, 'up': 450e9, 'domain': 8, 'nic': 50e9}
    b200 = {'family': 'Blackwell', 'peak16': 2250e12, 'peak8': 4500e12, 'peak4': 9000e12, 'hbm_bw': 7700e9, 'hbm': 180e9, 'up': 900e9, 'domain': 8, 'nic': 50e9}
    v6e = {'family': 'TPUv6e', 'peak16': 918e12, 'hbm_bw': 1640e9, 'hbm': 32e9, 'up': 200e9, 'domain': 256, 'nic': 12.5e9}
    small = {'layers': 16, 'hidden': 2048, 'heads': 32, 'ffn_hidden': 8192, 'gated': True, 'vocab': 131072, 'tied': True}
    large = {'layers': 126, 'hidden': 16384, 'heads': 128, 'kv_heads': 8, 'head_dim': 128, 'ffn_hidden': 53248, 'gated': True, 'vocab': 128256}
    llama = {'layers': 80, 'hidden': 8192, 'heads': 64, 'kv_heads': 8, 'head_dim': 128, 'ffn_hidden': 28672, 'gated': True, 'vocab': 128256}
    moe = {'layers': 94, 'hidden': 4096, 'heads': 64, 'kv_heads': 4, 'head_dim': 128, 'ffn_hidden': 12288, 'gated': True, 'vocab': 151936, 'experts': 128, 'top_k': 8, 'moe_ffn_hidden': 1536}
    research = {'acc': h100, 'model': small, 'seq': 4096, 'batch': 256, 'stack': 'research', 'flash': 2}
    return [
        {**research, 'n': 8, 'dp': 8, 'mb': 4}, {**research, 'n': 8, 'tp': 4, 'dp': 2, 'sp': True, 'zero': 1},
        {**research, 'n': 8, 'tp': 2, 'pp': 2, 'dp': 2}, {**research, 'n': 32, 'tp': 4, 'pp': 4, 'dp': 2, 'sp': True},
        {**research, 'n': 64, 'tp': 16, 'pp': 2, 'dp': 2, 'zero': 1}, {**research, 'n': 16, 'pp': 4, 'dp': 4},
        {**research, 'n': 32, 'tp': 2, 'pp': 2, 'dp': 8, 'recompute': 'full'},
        {**research, 'n': 32, 'tp': 2, 'pp': 4, 'dp': 4, 'zero': 3, 'recompute': 'selective'},
        {**research, 'model': {**moe, 'layers': 24}, 'n': 64, 'tp': 2, 'pp': 2, 'dp': 16, 'ep': 8, 'batch': 64},
        {'acc': h100, 'model': llama, 'n': 256, 'seq': 8192, 'batch': 512, 'tp': 8, 'dp': 32, 'mb': 16, 'zero': 3, 'prec': 8, 'flash': 2, 'stack': 'fsdp_compile', 'recompute': 'full'},
        {'acc': h100, 'model': llama, 'n': 256, 'seq': 8192, 'batch': 512, 'tp': 8, 'dp': 32, 'mb': 16, 'zero': 3, 'prec': 8, 'flash': 2, 'stack': 'fsdp_compile', 'recompute': 'selective', 'tp_overlap': True},
        {'acc': h100, 'model': llama, 'n': 64, 'seq': 8192, 'batch': 64, 'dp': 64, 'zero': 3, 'flash': 2, 'stack': 'fsdp_compile'},
        {'acc': h100, 'model': llama, 'n': 64, 'seq': 8192, 'batch': 64, 'dp': 64, 'zero': 3, 'flash': 2, 'stack': 'fsdp_compile', 'recompute': 'selective', 'compiled_loss': False},
        {'acc': h100, 'model': llama, 'n': 64, 'seq': 8192, 'batch': 64, 'tp': 4, 'dp': 16, 'sp': True, 'zero': 3, 'flash': 2, 'stack': 'fsdp', 'recompute': 'selective'},
        {'acc': h100, 'model': llama, 'n': 64, 'seq': 8192, 'batch': 64, 'tp': 4, 'dp': 16, 'sp': True, 'zero': 3, 'flash': 2, 'stack': 'fsdp_compile'},
        {'acc': h100, 'model': {**small, 'gated': False}, 'n': 8, 'seq': 4096, 'batch': 64, 'dp': 8, 'mb': 2, 'zero': 3, 'flash': 2, 'stack': 'fsdp', 'recompute': 'selective', 'compiled_loss': True},
        {'acc': h100, 'model': {**moe, 'layers': 24, 'shared_experts': 1, 'moe_layers': 22}, 'n': 64, 'seq': 4096, 'batch': 64, 'dp': 64, 'ep': 8, 'zero': 3, 'flash': 2, 'stack': 'fsdp_compile', 'recompute': 'selective'},
        {'acc': h100, 'model': {**moe, 'layers': 24, 'mla': True, 'heads': 128, 'kv_heads': 128}, 'n': 64, 'seq': 4096, 'batch': 64, 'tp': 2, 'dp': 32, 'ep': 8, 'sp': True, 'zero': 3, 'flash': 2, 'stack': 'fsdp_compile', 'recompute': 'selective'},
        {'acc': h100, 'model': {**llama, 'layers': 16, 'mla': True, 'gated': False}, 'n': 64, 'seq': 4096, 'batch': 64, 'tp': 2, 'dp': 32, 'zero': 3, 'flash': 2, 'stack': 'fsdp', 'recompute': 'selective'},
        {'acc': h100, 'model': llama, 'n': 8, 'seq': 4096, 'batch': 8, 'dp': 8, 'zero': 3, 'flash': 2, 'lora': True, 'stack': 'fsdp', 'recompute': 'full'},
        {'acc': h100, 'model': large, 'n': 512, 'seq': 8192, 'batch': 64, 'tp': 8, 'pp': 8, 'vs': 2, 'dp': 8, 'zero': 3, 'prec': 8, 'flash': 2, 'stack': 'fsdp_compile', 'recompute': 'full'},
        {'acc': h100, 'model': large, 'n': 512, 'seq': 8192, 'batch': 128, 'tp': 8, 'pp': 8, 'dp': 8, 'zero': 3, 'shard': 4, 'flash': 2, 'stack': 'fsdp'},
        {'acc': h100, 'model': large, 'n': 512, 'seq': 8192, 'batch': 128, 'tp': 8, 'pp': 8, 'dp': 8, 'zero': 3, 'stack': 'megatron_core'},
        {'acc': h100, 'model': llama, 'n': 128, 'seq': 8192, 'batch': 128, 'tp': 4, 'pp': 4, 'vs': 5, 'dp': 8, 'zero': 1, 'sp': True, 'prec': 8},
        {'acc': h100, 'model': llama, 'n': 128, 'seq': 8192, 'batch': 128, 'tp': 4, 'pp': 4, 'vs': 5, 'dp': 8, 'zero': 1, 'sp': True, 'prec': 8, 'graphs': True},
        {'acc': h100, 'model': llama, 'n': 8, 'seq': 8192, 'batch': 8, 'tp': 4, 'dp': 2, 'prec': 8, 'lora': True},
        {'acc': b200, 'model': llama, 'n': 64, 'seq': 8192, 'batch': 128, 'tp': 2, 'pp': 4, 'vs': 5, 'dp': 8, 'zero': 1, 'sp': True, 'prec': 4},
        {'acc': b200, 'model': moe, 'n': 256, 'seq': 4096, 'batch': 1024, 'tp': 2, 'pp': 8, 'vs': 4, 'dp': 16, 'ep': 32, 'zero': 1, 'sp': True, 'prec': 8, 'recompute': 'selective', 'recompute_share': .6},
        {'acc': b200, 'model': moe, 'n': 256, 'seq': 4096, 'batch': 1024, 'tp': 2, 'pp': 8, 'dp': 16, 'ep': 32, 'zero': 1, 'prec': 8, 'recompute': 'full', 'recompute_share': .25, 'ep_overlap': True, 'graphs': True},
        {'acc': v6e, 'model': llama, 'n': 256, 'seq': 8192, 'batch': 512, 'dp': 256, 'mb': 2, 'zero': 3, 'stack': 'xla', 'recompute': 'full', 'recompute_share': .78},
        {'acc': v6e, 'model': llama, 'n': 256, 'seq': 8192, 'batch': 512, 'tp': 8, 'dp': 32, 'mb': 2, 'zero': 3, 'stack': 'xla', 'recompute': 'full'},
        {'acc': h100, 'model': llama, 'n': 64, 'seq': 4096, 'batch': 256, 'tp': 8, 'dp': 8, 'zero': 1, 'stack': 'xla', 'recompute': 'full', 'recompute_share': .7},
        {'acc': h100, 'model': llama, 'n': 64, 'seq': 4096, 'batch': 256, 'tp': 4, 'cp': 2, 'dp': 8, 'zero': 1, 'stack': 'megatron_core', 'recompute': 'none', 'recompute_share': .7},
    ]


def main():
    earlier = json.loads((here / 'detailed-2.0.json').read_text())
    for one in earlier['cases']:
        if 'expect' in one:
            difference, where = worst(one['expect'], price(one['inputs'], constants(1)))
            assert difference < 1e-9, f'2.0 {one["id"]}{where}: {difference}'
    cases = [one['inputs'] for one in earlier['cases'] if 'expect' in one] + later()
    made = []
    for i, inputs in enumerate(cases):
        inputs = {**copy.deepcopy(inputs), 'version': '3.0'}
        made.append({'id': f'case-{i:03}', 'inputs': inputs, 'expect': price(inputs, constants(0))})
    document = {'model': 'detailed', 'version': '3.0', 'tolerance': earlier['tolerance'], 'constants': constants(0),
                'units': earlier['units'], 'made_by': 'detailed-3.0.py', 'cases': made}
    (here / 'detailed-3.0.json').write_text(json.dumps(document, indent=1) + '\n')
    print(len(made), 'cases')


if __name__ == '__main__':
    main()
