import type { Diagnosis, DiagnosisTopic, ErrorKind } from '../../contract/api';

/** `ok`: as it should be. `note`: worth knowing. `warning`: works, and may surprise. `broken`: does not work. */
export type Severity = Diagnosis['severity'];

/**
 * What a finding is about; a code never changes its meaning. A check that fails has the kind of its error, what a driver
 * finds has its topic.
 */
export type FindingCode =
  | 'node_version'
  | 'platform'
  | 'config_files'
  | 'config_invalid'
  | 'config_warning'
  | 'default_provider'
  | 'state_folder'
  | 'cache_folder'
  | 'daemon'
  | 'daemon_version'
  | 'daemon_changes'
  | 'daemon_no_answer'
  | 'daemon_disagrees'
  | 'plugin'
  | 'port'
  | 'answers'
  | 'check_warning'
  | 'key'
  | 'model'
  | 'queue'
  | 'probe'
  | ErrorKind
  | DiagnosisTopic;

export interface Finding {
  /** Absent: it is about Drivebay as a whole. */
  provider?: string;
  /** Where the provider is configured: what its remedies say is to be changed there. */
  place?: string;
  code: FindingCode;
  severity: Severity;
  message: string;
  /** The command that fixes it, or what to do. */
  fix?: string;
}

/** Makes a finding; one without a remedy has no field for it. */
export function finding(code: FindingCode, severity: Severity, message: string, fix?: string | null): Finding {
  return { code, severity, message, ...(fix && { fix }) };
}
