/** The checks of `plugins check`. The meaning of a code never changes, and no new check gets the code of a removed one. */
export const checkCodes = {
  M01: 'manifest.json is there and valid',
  M02: 'apiVersion is one that this Drivebay speaks',
  M03: 'the folder has the name of the driver',
  M04: 'every option has a usable schema, and a default that satisfies it',
  M05: 'the manifest has no unknown field',
  M06: 'no driver of Drivebay has one of its names',
  M07: 'every required option is declared',
  M08: 'the entry that `drivebay init` writes from detect is valid',
  L01: 'main can be imported',
  L02: 'main exports a function as default',
  L03: 'loading takes less than 1 s and prints nothing',
  L04: 'loading and making a driver open no connection, and start no process',
  L05: 'the function makes a driver with chat and check',
  L06: 'no promise is rejected without a handler',
  P01: 'package.json has the keyword drivebay-driver',
  P02: 'drivebay is a peer dependency at most',
  P03: 'nothing runs when the package is installed',
  P04: 'engines.node says which Node it needs',
  P05: 'package.json names a licence',
  P06: 'there is a README',
  P07: 'the name of the package is drivebay-driver-<driver>',
  P08: 'the package that npm publishes holds the manifest and main',
} as const;

export type CheckCode = keyof typeof checkCodes;

/** `warning`: the plug-in works, but could be better. `skipped`: another fault must be mended first. */
export type CheckStatus = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Finding {
  code: CheckCode;
  status: CheckStatus;
  /** What the check found; for `ok` its title. */
  message: string;
  hint?: string;
}

export function ok(code: CheckCode): Finding {
  return { code, status: 'ok', message: checkCodes[code] };
}

export function failed(code: CheckCode, message: string, hint?: string): Finding {
  return { code, status: 'failed', message, hint };
}

export function warning(code: CheckCode, message: string, hint?: string): Finding {
  return { code, status: 'warning', message, hint };
}

export function skipped(code: CheckCode, why: string): Finding {
  return { code, status: 'skipped', message: why };
}

/** Marks the checks of a group that have no finding yet as skipped. */
export function skipRest(group: 'M' | 'L' | 'P', findings: readonly Finding[], why: string): Finding[] {
  const codes = (Object.keys(checkCodes) as CheckCode[]).filter((code) => code.startsWith(group));
  return codes.filter((code) => !findings.some((finding) => finding.code === code)).map((code) => skipped(code, why));
}
