import { chmodSync } from 'node:fs';
import { openProject } from '../../core/daemon/project/project';
import { createLogger } from '../../core/log/logger';
import type { Diagnosis } from '../../core/contract/api';
import { Redactor } from '../../core/contract/redact';
import { TempHome } from './temp-home';

const redactor = new Redactor();
const log = createLogger({ level: 'silent', format: 'text', redactor });

/** What the driver of one provider finds, with a program that answers as a shell script says. */
export async function diagnosed(
  entry: { driver: string; command: string } & Record<string, unknown>,
  script: string,
  { environment = {}, files = {} }: { environment?: Record<string, string>; files?: Record<string, string> } = {},
): Promise<Diagnosis[]> {
  const home = new TempHome();
  const program = home.write(`bin/${entry.command}`, `#!/bin/sh\ncase "$*" in\n${script}\nesac\n`);
  chmodSync(program, 0o755);
  for (const [file, text] of Object.entries(files)) home.write(file, text);
  home.configure(JSON.stringify({ version: '1', providers: [{ name: 'p', ...entry, command: program }] }));
  const project = openProject({
    workingDirectory: home.directory,
    environment: home.environment(environment),
    useProject: false,
    log,
    redactor,
  });
  try {
    return await project.devices.llms()[0]!.diagnose();
  } finally {
    await project.close();
    home.remove();
  }
}

/** The finding of a topic. */
export function topic(findings: readonly Diagnosis[], wanted: Diagnosis['topic']): Diagnosis | undefined {
  return findings.find((finding) => finding.topic === wanted);
}
