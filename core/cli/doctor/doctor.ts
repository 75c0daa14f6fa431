import { ConfigError, formatPosition } from '../../errors';
import { adoptReasons } from '../../plugins/stray-failures';
import type { CommonFlags } from '../command-options';
import { projectRef } from '../daemon/project-at-daemon';
import { EXIT } from '../exit-codes';
import { pathsHere } from '../here';
import { withProjectHere } from '../open-project';
import { DEFAULT_PORT } from '../serve/serve-options';
import { printReport } from '../terminal/print';
import { untilInterrupted } from '../terminal/signals';
import { budgetFindings, clientFindings, configFindings, invalidConfig, serverFindings } from './config-findings';
import { lookAtDaemon } from './daemon-findings';
import type { DoctorFinding } from './finding';
import { countFindings, formatFindings } from './format-findings';
import { probe } from './probe';
import { daemonViewFindings, excuseKey, providerFindings } from './provider-findings';
import { systemFindings } from './system-findings';

type DoctorOptions = CommonFlags & { probe?: boolean };

/** `doctor`: says what is wrong with everything, or with one provider, and what fixes it. Exit code 1 if something is. */
export async function doctor(name: string | undefined, options: DoctorOptions): Promise<void> {
  const findings = await examine(name, options);
  const counts = countFindings(findings);
  printReport(options.json, { findings: findings.map(toJson), counts }, () => formatFindings(findings));
  if (counts.broken > 0) process.exitCode = EXIT.failure;
}

async function examine(name: string | undefined, options: DoctorOptions): Promise<DoctorFinding[]> {
  const general = systemFindings(pathsHere(), DEFAULT_PORT);
  const daemon = lookAtDaemon(projectRef(options));
  const { project: useProject, probe: keepsBooks } = options;
  try {
    return await withProjectHere({ useProject, isQuiet: true, keepsBooks }, async ({ project }) => {
      const devices = name === undefined ? project.devices.llms() : [project.devices.need(name)];
      const budgets = await budgetFindings(project);
      const looks = devices.map(async (device) => {
        const [local, view] = await Promise.all([providerFindings(device, project.environment), daemon]);
        const findings = [...excuseKey(local, device, view), ...daemonViewFindings(device, view)];
        findings.push(...budgets.filter(({ provider }) => provider === device.name));
        if (options.probe) findings.push(await probe(device));
        const entry = project.entries.find(({ name: each }) => each === device.name);
        const place = entry && formatPosition(entry.place);
        return findings.map((each) => ({ provider: device.name, place, ...each }));
      });
      const own = (await untilInterrupted(Promise.all(looks))).flat();
      // The daemon first: it tells which plug-ins have failed there.
      const { findings: ofDaemon, failures } = await daemon;
      adoptReasons(failures);
      const servers = await serverFindings(project.toolServers);
      const whole = [
        ...(await general),
        ...configFindings(project),
        ...clientFindings(project),
        ...servers,
        ...ofDaemon,
      ];
      if (name === undefined) return [...whole, ...own];
      // For one provider only the general findings that may be in its way count.
      return [...whole.filter(({ severity }) => severity !== 'ok' && severity !== 'note'), ...own];
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...(await general), ...invalidConfig(error.problems)];
  }
}

function toJson({ provider, place, code, severity, message, fix }: DoctorFinding) {
  return { provider: provider ?? null, place: place ?? null, code, severity, message, fix: fix ?? null };
}
