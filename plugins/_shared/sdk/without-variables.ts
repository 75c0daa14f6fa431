/**
 * Runs `make` as if no environment variable of those names were set. SDKs take settings from theirs when a client is made:
 * another address, a second credential, headers. Not all of them can be overruled by options. Nothing else runs in the
 * meantime.
 */
export function withoutVariables<T>(names: RegExp, make: () => T): T {
  const hidden = Object.entries(process.env).filter(([name]) => names.test(name));
  for (const [name] of hidden) delete process.env[name];
  try {
    return make();
  } finally {
    for (const [name, value] of hidden) process.env[name] = value;
  }
}
