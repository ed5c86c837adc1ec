# Attention and transformers: torch.nn.modules.activation and transformer.


import copy
import warnings


class _OutProjection(nn.Linear):
    __module__ = "torch.nn.modules.linear"

    def _get_name(self):
        return 'NonDynamicallyQuantizableLinear'


class MultiheadAttention(nn.Module):
    """Multi-head attention: softmax(Q Kᵀ/√d) V in each head, on its part of the projected inputs."""
    __module__ = "torch.nn.modules.activation"

    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None, batch_first=False, device=None, dtype=None):
        super().__init__()
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(f'embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and num_heads={num_heads} instead')
        self.embed_dim = embed_dim
        self.kdim = kdim if kdim is not None else embed_dim
        self.vdim = vdim if vdim is not None else embed_dim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError('embed_dim must be divisible by num_heads')
        if self._qkv_same_embed_dim:
            self.in_proj_weight = nn.Parameter(torch.empty((3 * embed_dim, embed_dim), dtype=dtype))
            self.register_parameter('q_proj_weight', None)
            self.register_parameter('k_proj_weight', None)
            self.register_parameter('v_proj_weight', None)
        else:
            self.q_proj_weight = nn.Parameter(torch.empty((embed_dim, embed_dim), dtype=dtype))
            self.k_proj_weight = nn.Parameter(torch.empty((embed_dim, self.kdim), dtype=dtype))
            self.v_proj_weight = nn.Parameter(torch.empty((embed_dim, self.vdim), dtype=dtype))
            self.register_parameter('in_proj_weight', None)
        if bias:
            self.in_proj_bias = nn.Parameter(torch.empty(3 * embed_dim, dtype=dtype))
        else:
            self.register_parameter('in_proj_bias', None)
        self.out_proj = _OutProjection(embed_dim, embed_dim, bias=bias, dtype=dtype)
        if add_bias_kv:
            self.bias_k = nn.Parameter(torch.empty((1, 1, embed_dim), dtype=dtype))
            self.bias_v = nn.Parameter(torch.empty((1, 1, embed_dim), dtype=dtype))
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self):
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                nn.init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            nn.init.constant_(self.in_proj_bias, 0.0)
            nn.init.constant_(self.out_proj.bias, 0.0)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                nn.init.xavier_normal_(bias)

    def _projected(self, query, key, value):
        d = self.embed_dim
        if self._qkv_same_embed_dim:
            wq, wk, wv = self.in_proj_weight.chunk(3)
        else:
            wq, wk, wv = self.q_proj_weight, self.k_proj_weight, self.v_proj_weight
        bq, bk, bv = (None, None, None) if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        if self._qkv_same_embed_dim and query is key and key is value:
            return F.linear(query, self.in_proj_weight, self.in_proj_bias).split(d, -1)
        return F.linear(query, wq, bq), F.linear(key, wk, bk), F.linear(value, wv, bv)

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True, is_causal=False):
        alone = query.dim() == 2
        _check_dims(self.num_heads, query, key, value, key_padding_mask, attn_mask)
        if self.batch_first and not alone:
            same = query is key and key is value
            query = query.transpose(1, 0)
            key, value = (query, query) if same else (key.transpose(1, 0), value.transpose(1, 0))
        if alone:
            same = query is key and key is value
            query = query.unsqueeze(1)
            key, value = (query, query) if same else (key.unsqueeze(1), value.unsqueeze(1))
            if key_padding_mask is not None:
                key_padding_mask = key_padding_mask.unsqueeze(0)
        length, batch, width = query.shape
        if width != self.embed_dim:
            raise AssertionError(f'was expecting embedding dimension of {self.embed_dim}, but got {width}')
        for name, mask in (('key_padding_mask', key_padding_mask), ('attn_mask', attn_mask)):
            if mask is not None and mask.dtype != torch.bool and not mask.is_floating_point():
                raise AssertionError(f'only bool and floating types of {name} are supported')
        if is_causal and attn_mask is None:
            raise RuntimeError('Need attn_mask if specifying the is_causal hint. You may use the Transformer module method `generate_square_subsequent_mask` to create this mask.')
        if not self._qkv_same_embed_dim:
            if key.shape[:2] != value.shape[:2]:
                raise AssertionError(f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}")
        elif key.shape != value.shape:
            raise AssertionError(f'key shape {key.shape} does not match value shape {value.shape}')
        source = key.shape[0]
        heads, part = self.num_heads, self.head_dim
        if attn_mask is not None:
            fits = (length, source) if attn_mask.dim() == 2 else (batch * heads, length, source)
            if attn_mask.shape != fits:
                raise RuntimeError(f'The shape of the {attn_mask.dim()}D attn_mask is {attn_mask.shape}, but should be {fits}.')
        if key_padding_mask is not None:
            for k, n in ((0, batch), (1, source)):
                if key_padding_mask.shape[k] != n:
                    raise AssertionError(f'Expected key_padded_mask.shape[{k}] to be {n}, but got {key_padding_mask.shape[k]}')
        q, k, v = self._projected(query, key, value)
        if self.bias_k is not None:
            k = torch.cat([k, self.bias_k.repeat(1, batch, 1)])
            v = torch.cat([v, self.bias_v.repeat(1, batch, 1)])
            source, attn_mask, key_padding_mask = _one_more(source, attn_mask, key_padding_mask)
        q = q.reshape(length, batch * heads, part).transpose(0, 1)
        k = k.reshape(source, batch * heads, part).transpose(0, 1)
        v = v.reshape(source, batch * heads, part).transpose(0, 1)
        if self.add_zero_attn:
            zero = torch.zeros(batch * heads, 1, part, dtype=q.dtype)
            k, v = torch.cat([k, zero], dim=1), torch.cat([v, zero], dim=1)
            source, attn_mask, key_padding_mask = _one_more(source, attn_mask, key_padding_mask)
        mask = _as_float(attn_mask, q.dtype)
        if mask is not None and mask.dim() == 2:
            mask = mask.unsqueeze(0)
        if key_padding_mask is not None:
            padding = _as_float(key_padding_mask, q.dtype).view(batch, 1, 1, source).expand(-1, heads, -1, -1).reshape(batch * heads, 1, source)
            mask = padding if mask is None else mask + padding
        dropped = self.dropout if self.training else 0.0
        if need_weights:
            scaled = q * math.sqrt(1.0 / float(part))
            scores = torch.bmm(scaled, k.transpose(-2, -1))
            if mask is not None:
                scores = mask + scores
            weights = F.softmax(scores, dim=-1)
            if dropped > 0.0:
                weights = F.dropout(weights, dropped)
            y = torch.bmm(weights, v)
            y = y.transpose(0, 1).reshape(length * batch, width)
            y = self.out_proj(y).view(length, batch, width)
            weights = weights.view(batch, heads, length, source)
            if average_attn_weights:
                weights = weights.mean(dim=1)
            if alone:
                weights = weights.squeeze(0)
        else:
            if mask is not None:
                mask = mask.unsqueeze(0) if mask.size(0) == 1 else mask.view(batch, heads, -1, source)
            four = lambda t, n: t.view(batch, heads, n, part)
            y = F.scaled_dot_product_attention(four(q, length), four(k, source), four(v, source), mask, dropped)
            y = y.permute(2, 0, 1, 3).reshape(batch * length, width)
            y = self.out_proj(y).view(length, batch, width)
            weights = None
        if alone:
            y = y.squeeze(1)
        elif self.batch_first:
            y = y.transpose(1, 0)
        return y, weights


def _check_dims(heads, query, key, value, padding, mask):
    rank = query.dim()
    if rank not in (2, 3):
        raise AssertionError(f'query should be unbatched 2D or batched 3D tensor but received {rank}-D query tensor')
    of = f'For {"batched" if rank == 3 else "unbatched"} ({rank}-D) `query`, expected'
    if key.dim() != rank or value.dim() != rank:
        raise AssertionError(f'{of} `key` and `value` to be {rank}-D but found {key.dim()}-D and {value.dim()}-D tensors respectively')
    if padding is not None and padding.dim() != rank - 1:
        raise AssertionError(f'{of} `key_padding_mask` to be `None` or {rank - 1}-D but found {padding.dim()}-D tensor instead')
    if mask is not None and mask.dim() not in (2, 3):
        raise AssertionError(f'{of} `attn_mask` to be `None`, 2-D or 3-D but found {mask.dim()}-D tensor instead')
    if rank == 2 and mask is not None and mask.dim() == 3 and mask.shape != (heads, query.shape[0], key.shape[0]):
        raise AssertionError(f'Expected `attn_mask` shape to be {(heads, query.shape[0], key.shape[0])} but got {mask.shape}')


def _one_more(source, *masks):
    """The masks for a key that is added, and seen by every query."""
    return (source + 1, *[m if m is None else F.pad(m, (0, 1)) for m in masks])


def _as_float(mask, dtype):
    """An additive mask: −∞ where a boolean mask is True."""
    if mask is None or mask.dtype != torch.bool:
        return mask
    return torch.zeros(mask.shape, dtype=dtype).masked_fill(mask, float('-inf'))


def _activation(activation):
    if activation == 'relu':
        return F.relu
    if activation == 'gelu':
        return F.gelu
    if isinstance(activation, str):
        raise RuntimeError(f'activation should be relu/gelu, not {activation}')
    return activation


class TransformerEncoderLayer(nn.Module):
    """Self-attention and a feed-forward network, each added to its input and normalised."""
    __module__ = "torch.nn.modules.transformer"

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-05, batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, dtype=dtype)
        self.linear1 = nn.Linear(d_model, dim_feedforward, bias=bias, dtype=dtype)
        self.dropout = nn.Dropout(dropout)
        self.linear2 = nn.Linear(dim_feedforward, d_model, bias=bias, dtype=dtype)
        self.norm_first = norm_first
        self.norm1 = nn.LayerNorm(d_model, eps=layer_norm_eps, bias=bias, dtype=dtype)
        self.norm2 = nn.LayerNorm(d_model, eps=layer_norm_eps, bias=bias, dtype=dtype)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.activation = _activation(activation)

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        x = src
        if self.norm_first:
            x = x + self._attended(self.norm1(x), src_mask, src_key_padding_mask)
            return x + self._fed(self.norm2(x))
        x = self.norm1(x + self._attended(x, src_mask, src_key_padding_mask))
        return self.norm2(x + self._fed(x))

    def _attended(self, x, mask, padding):
        y, _ = self.self_attn(x, x, x, attn_mask=mask, key_padding_mask=padding, need_weights=False)
        return self.dropout1(y)

    def _fed(self, x):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerDecoderLayer(nn.Module):
    """Self-attention, attention to an encoder's output and a feed-forward network."""
    __module__ = "torch.nn.modules.transformer"

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-05, batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, bias=bias, dtype=dtype)
        self.multihead_attn = nn.MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, bias=bias, dtype=dtype)
        self.linear1 = nn.Linear(d_model, dim_feedforward, bias=bias, dtype=dtype)
        self.dropout = nn.Dropout(dropout)
        self.linear2 = nn.Linear(dim_feedforward, d_model, bias=bias, dtype=dtype)
        self.norm_first = norm_first
        self.norm1 = nn.LayerNorm(d_model, eps=layer_norm_eps, bias=bias, dtype=dtype)
        self.norm2 = nn.LayerNorm(d_model, eps=layer_norm_eps, bias=bias, dtype=dtype)
        self.norm3 = nn.LayerNorm(d_model, eps=layer_norm_eps, bias=bias, dtype=dtype)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.dropout3 = nn.Dropout(dropout)
        self.activation = _activation(activation)

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None, tgt_is_causal=False, memory_is_causal=False):
        x = tgt
        own = lambda x: self.dropout1(self.self_attn(x, x, x, attn_mask=tgt_mask, key_padding_mask=tgt_key_padding_mask, need_weights=False)[0])
        other = lambda x: self.dropout2(self.multihead_attn(x, memory, memory, attn_mask=memory_mask, key_padding_mask=memory_key_padding_mask, need_weights=False)[0])
        fed = lambda x: self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))
        if self.norm_first:
            x = x + own(self.norm1(x))
            x = x + other(self.norm2(x))
            return x + fed(self.norm3(x))
        x = self.norm1(x + own(x))
        x = self.norm2(x + other(x))
        return self.norm3(x + fed(x))


class _Stack(nn.Module):
    __module__ = "torch.nn.modules.transformer"

    def _take(self, layer, num_layers, norm):
        self.layers = nn.ModuleList([copy.deepcopy(layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm


class TransformerEncoder(_Stack):
    """A stack of encoder layers."""

    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self._take(encoder_layer, num_layers, norm)
        attention = encoder_layer.self_attn
        slow = (
            'norm_first was True' if encoder_layer.norm_first
            else 'self_attn.batch_first was not True(use batch_first for better inference performance)' if not attention.batch_first
            else 'self_attn was passed bias=False' if attention.in_proj_bias is None
            else 'self_attn.num_heads is odd' if attention.num_heads % 2 == 1
            else ''
        )
        if enable_nested_tensor and slow:
            warnings.warn(f'enable_nested_tensor is True, but self.use_nested_tensor is False because encoder_layer.{slow}')

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        for layer in self.layers:
            src = layer(src, src_mask=mask, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(_Stack):
    """A stack of decoder layers."""

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self._take(decoder_layer, num_layers, norm)

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None, tgt_is_causal=None, memory_is_causal=False):
        for layer in self.layers:
            tgt = layer(tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask, memory_key_padding_mask=memory_key_padding_mask)
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(nn.Module):
    """An encoder and a decoder."""
    __module__ = "torch.nn.modules.transformer"

    def __init__(self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1, activation=F.relu, custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-05, batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        norm = lambda: nn.LayerNorm(d_model, eps=layer_norm_eps, bias=bias, dtype=dtype)
        layer = lambda kind: kind(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias, None, dtype)
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            self.encoder = nn.TransformerEncoder(layer(nn.TransformerEncoderLayer), num_encoder_layers, norm())
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            self.decoder = nn.TransformerDecoder(layer(nn.TransformerDecoderLayer), num_decoder_layers, norm())
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        return torch.triu(torch.full((sz, sz), float('-inf'), dtype=dtype), diagonal=1)

    def forward(self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None, src_is_causal=None, tgt_is_causal=None, memory_is_causal=False):
        batch = 0 if self.batch_first else 1
        if src.dim() == 3 and src.size(batch) != tgt.size(batch):
            raise RuntimeError('the batch number of src and tgt must be equal')
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError('the feature number of src and tgt must be equal to d_model')
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return self.decoder(tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask, memory_key_padding_mask=memory_key_padding_mask)
