/** notify: a notice per content, once. ask: the fields wait for `drivebay trust`. */
export type TrustMode = 'notify' | 'ask';

/** The value of DRIVEBAY_PROJECT_TRUST. */
export function trustMode(value: string | undefined): TrustMode {
  return value?.trim().toLowerCase() === 'ask' ? 'ask' : 'notify';
}
