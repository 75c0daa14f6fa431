import { DriverError } from '../contract/driver-error';

/** What Linux takes as one argument, its final NUL included; no name that a client sends comes near. */
const MAX_BYTES = 128 * 1024 - 1;

/** `context.argument` of the contract. */
export function safeArgument(value: string, param: string): string {
  const fault = faultOf(value);
  if (fault === undefined) return value;
  throw new DriverError('invalid_request', `${param} ${fault}: it cannot be given to a program`, { param });
}

function faultOf(value: string): string | undefined {
  if (value === '') return 'is empty';
  if (value.startsWith('-')) return 'starts with "-"';
  if (/[\u0000-\u001f\u007f]/.test(value)) return 'holds a control character';
  return Buffer.byteLength(value) > MAX_BYTES ? 'is too long' : undefined;
}
