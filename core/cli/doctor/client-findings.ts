import { readClientKeys } from '../../config/client-keys';
import type { Project } from '../../daemon/project/project';
import { type DoctorFinding, finding } from './finding';

/** The clients that no key opens the gateway for, as this terminal sees it. */
export function clientFindings({ clients: entries = [], environment }: Project): DoctorFinding[] {
  return readClientKeys({ entries, environment }).flatMap(({ fault }) =>
    fault ? [finding('client_key', 'warning', fault.message, fault.hint)] : [],
  );
}
