import type { Project } from '../../daemon/project/project';
import { ConfigError, formatPosition } from '../../errors';
import { findPaths } from '../../paths';
import type { LlmDevice } from '../../devices/device';
import { chooseDevice } from '../config/choose-device';
import { DEFAULT_PORT } from '../serve/default-port';
import { configFindings, invalidConfig } from './config-findings';
import { type DaemonView, lookAtDaemon } from './daemon-findings';
import type { Finding } from './finding';
import { probe } from './probe';
import { daemonViewFindings, providerFindings } from './provider-findings';
import { countFindings, formatFindings } from './report';
import { systemFindings } from './system-findings';
import { EXIT } from '../exit-codes';
import { open, type Opened } from '../open';
import { workingDirectory } from '../working-directory';
import { printAnswer, printJson } from '../terminal/print';
import { untilInterrupted } from '../terminal/until-interrupted';
import { projectRef } from '../daemon/use-daemon';

export interface DoctorOptions {
  json?: boolean;
  probe?: boolean;
  project: boolean;
}

/** `doctor`: looks at everything, or at one provider, and says what is wrong and what fixes it. Exit code 1 if something is. */
export async function doctor(name: string | undefined, options: DoctorOptions): Promise<void> {
  const findings = await examine(name, options);
  const counts = countFindings(findings);
  if (options.json) printJson({ findings: findings.map(toJson), counts });
  else printAnswer(formatFindings(findings));
  if (counts.broken > 0) process.exitCode = EXIT.failure;
}

async function examine(name: string | undefined, options: DoctorOptions): Promise<Finding[]> {
  const paths = findPaths(process.env, workingDirectory());
  const general = systemFindings(paths, DEFAULT_PORT);
  const daemon = lookAtDaemon(paths, projectRef(options));
  let opened: Opened;
  try {
    opened = await open({ useProject: options.project, logLevel: 'silent', keepsBooks: options.probe ?? false });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...(await general), ...invalidConfig(error.problems)];
  }
  const { project, ledger } = opened;
  try {
    const all = project.devices.llms();
    const devices = name === undefined ? all : [chooseDevice(all, name)];
    const looks = devices.map((device) => lookAt(device, project, daemon, options));
    const own = (await untilInterrupted(Promise.all(looks))).flat();
    const whole = [...(await general), ...configFindings(project), ...(await daemon).findings];
    // Who asks about one provider wants to know what stands in its way.
    return [
      ...(name === undefined ? whole : whole.filter(({ severity }) => severity !== 'ok' && severity !== 'note')),
      ...own,
    ];
  } finally {
    await project.close();
    await ledger?.flush();
  }
}

async function lookAt(
  device: LlmDevice,
  { environment, entries }: Project,
  daemon: Promise<DaemonView>,
  options: DoctorOptions,
): Promise<Finding[]> {
  const findings = await providerFindings(device, environment);
  const all = [
    ...findings,
    ...daemonViewFindings(device, await daemon),
    ...(options.probe ? [await probe(device)] : []),
  ];
  const entry = entries.find(({ name }) => name === device.name);
  const about = { provider: device.name, ...(entry && { place: formatPosition(entry.place) }) };
  return all.map((each) => ({ ...about, ...each }));
}

function toJson({ provider, place, code, severity, message, fix }: Finding) {
  return { provider: provider ?? null, place: place ?? null, code, severity, message, fix: fix ?? null };
}
