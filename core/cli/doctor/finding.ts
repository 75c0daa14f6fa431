import type { Diagnosis, DiagnosisTopic, ErrorKind } from '../../contract/api';

/** `ok`: in order. `note`: worth knowing. `warning`: works, with a possible surprise. `broken`: does not work. */
export type Severity = Diagnosis['severity'];

/**
 * The subject of a finding; a code never changes its meaning. A failed check has the kind of its error, and a finding of a
 * driver has its topic.
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

export interface DoctorFinding {
  /** Absent: the finding is about Drivebay as a whole. */
  provider?: string;
  /** Where the provider is configured, and so where a remedy applies. */
  place?: string;
  code: FindingCode;
  severity: Severity;
  message: string;
  /** The command that fixes it, or what to do. */
  fix?: string;
}

export function finding(code: FindingCode, severity: Severity, message: string, fix?: string): DoctorFinding {
  return { code, severity, message, fix: fix || undefined };
}
