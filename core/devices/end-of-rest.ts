/** How to end a rest before its time, in words. A provider that is over a limit of its own cannot be woken. */
export function howToEndRest(name: string, kind: string): string {
  if (kind === 'rate_limit_exceeded') return 'to allow more, raise the limit in providers.yaml';
  if (kind === 'budget_exceeded') return 'to allow more, raise budget_usd in providers.yaml';
  return `to end it: drivebay providers wake ${name}`;
}
