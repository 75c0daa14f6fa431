import type { DriverContext } from 'drivebay/plugin';

const HEADER_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The key, fit for a header. Asked for here, because an SDK puts the key that it cannot send into its error's message. */
export function requireHeaderKey(context: DriverContext<{ api_key_env: string }>): string {
  const key = context.requireApiKey();
  if (HEADER_TEXT.test(key)) return key;
  throw context.error('auth', 'the key holds characters that no HTTP header may hold', {
    hint: `look for a line break or a quote in ${context.options.api_key_env}`,
  });
}
