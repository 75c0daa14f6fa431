/** What `plugins check` looks at. A code never means anything else, and the code of a check that is gone is not used again. */
export const checkCodes = {
  M01: 'manifest.json is there and valid',
  M02: 'apiVersion is one that this Drivebay speaks',
  M03: 'the folder is called like the driver',
  M04: 'every option has a usable schema, and a default that satisfies it',
  M05: 'no field of the manifest is unknown',
  M06: 'no driver that comes with Drivebay has the name',
  M07: 'every required option is declared',
  M08: 'what detect makes `drivebay init` write is valid',
  L01: 'main can be imported',
  L02: 'main exports a function as default',
  L03: 'loading it takes less than 1 s and prints nothing',
  L04: 'loading it and making a driver start no connection and no process',
  L05: 'the function makes a driver with chat and check',
  L06: 'no promise is rejected unheard',
  P01: 'package.json has the keyword drivebay-driver',
  P02: 'drivebay is a peer dependency at most',
  P03: 'nothing runs when the package is installed',
  P04: 'engines.node says which Node it needs',
  P05: 'package.json names a licence',
  P06: 'there is a README',
  P07: 'the package is called drivebay-driver-<driver>',
  P08: 'the package that npm would publish holds the manifest and main',
} as const;

export type CheckCode = keyof typeof checkCodes;

/** `warning`: it works, and could be better. `skipped`: something else has to be put in order first. */
export type CheckStatus = 'ok' | 'warning' | 'failed' | 'skipped';

/** What became of one check. */
export interface Finding {
  code: CheckCode;
  status: CheckStatus;
  /** What was found; for `ok` the title of the check. */
  message: string;
  hint?: string;
}

export function ok(code: CheckCode): Finding {
  return { code, status: 'ok', message: checkCodes[code] };
}

export function failed(code: CheckCode, message: string, hint?: string): Finding {
  return { code, status: 'failed', message, ...(hint !== undefined && { hint }) };
}

export function warning(code: CheckCode, message: string, hint?: string): Finding {
  return { code, status: 'warning', message, ...(hint !== undefined && { hint }) };
}

export function skipped(code: CheckCode, why: string): Finding {
  return { code, status: 'skipped', message: why };
}

/** Every check of a group that has no finding yet, as skipped. */
export function skipRest(group: 'M' | 'L' | 'P', findings: readonly Finding[], why: string): Finding[] {
  const codes = (Object.keys(checkCodes) as CheckCode[]).filter((code) => code.startsWith(group));
  return codes.filter((code) => !findings.some((finding) => finding.code === code)).map((code) => skipped(code, why));
}
