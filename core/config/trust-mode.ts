/** notify: one notice per content of the file. ask: the guarded fields wait for `drivebay trust`. */
export type TrustMode = 'notify' | 'ask';

/** The value of DRIVEBAY_PROJECT_TRUST. */
export function trustMode(value: string | undefined): TrustMode {
  return value?.trim().toLowerCase() === 'ask' ? 'ask' : 'notify';
}
