/**
 * Runs `make` as if no environment variable of that prefix were set. SDKs take settings from theirs when a client is made:
 * another address, a second credential, headers. Not all of them can be overruled by options. Nothing else runs in the
 * meantime.
 */
export function withoutVariables<T>(prefix: string, make: () => T): T {
  const hidden = Object.entries(process.env).filter(([name]) => name.startsWith(prefix));
  for (const [name] of hidden) delete process.env[name];
  try {
    return make();
  } finally {
    for (const [name, value] of hidden) process.env[name] = value;
  }
}
