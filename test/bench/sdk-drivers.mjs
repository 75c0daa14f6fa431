/**
 * The drivers that are made of an SDK, each a scenario of its name. `base` is what their base_url ends in. Another wire
 * than those in wires.mjs needs answers there, too.
 */
export const SDK_DRIVERS = {
  epsilon: { base: '/v1' },
  zeta: { base: '' },
  eta: { base: '' },
};

export const SDK_KEY = { BENCH_API_KEY: 'sk-bench-0123456789' };
