import type { Diagnosis, DiagnosisTopic, ErrorKind } from '../../contract/api';

/** `ok`: in order. `note`: worth knowing. `warning`: works, with a possible surprise. `broken`: does not work. */
export type Severity = Diagnosis['severity'];

/**
 * The subject of a finding; a code never changes its meaning. A failed check has the kind of its error, and a finding of a
 * driver has its topic.
 */
export type FindingCode = SystemCode | ConfigCode | DaemonCode | ProviderCode | ErrorKind | DiagnosisTopic;

type SystemCode = 'node_version' | 'platform' | 'state_folder' | 'cache_folder' | 'port' | 'proxy';
type ConfigCode =
  'config_files' | 'config_invalid' | 'config_warning' | 'default_provider' | 'plugin' | 'tool_server' | 'client_key';
type DaemonCode =
  'unserved_model' | 'daemon' | 'daemon_version' | 'daemon_changes' | 'daemon_no_answer' | 'daemon_disagrees';
type ProviderCode = 'answers' | 'check_warning' | 'key' | 'model' | 'budget' | 'queue' | 'probe';

export interface DoctorFinding {
  /** Absent: the finding is about Drivebay as a whole. */
  provider?: string;
  /** Where the provider is configured, and so where a remedy applies. */
  place?: string;
  code: FindingCode;
  severity: Severity;
  message: string;
  fix?: string;
}

export function finding(code: FindingCode, severity: Severity, message: string, fix?: string): DoctorFinding {
  return { code, severity, message, fix: fix || undefined };
}
