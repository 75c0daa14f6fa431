import { z } from 'zod';
import type { ComposeRequest } from '../../agents/compose/compose-request';
import type { ProjectRef } from '../../daemon/control/protocol';
import { AttachedCompose } from './attached-compose';
import { needComposeFile } from './compose-file';
import { printAnswer, printJson, printNote } from '../terminal/print';
import { untilInterrupted } from '../terminal/until-interrupted';
import { ensureDaemon, openAtDaemon, projectRef } from '../daemon/use-daemon';
import { workingDirectory } from '../working-directory';

export interface ComposeUpOptions {
  json?: boolean;
  detach?: boolean;
  project: boolean;
}

const startedSchema = z.object({ name: z.string(), file: z.string() });

/** `compose up`: runs the agents of a file. The exit code is 0 when all of them are done. */
export async function composeUp(file: string | undefined, options: ComposeUpOptions): Promise<void> {
  const project = projectRef(options);
  const body: ComposeRequest & { project: ProjectRef } = {
    file: needComposeFile(file),
    workingDirectory: workingDirectory(),
    project,
  };
  const daemon = await untilInterrupted(ensureDaemon());
  await untilInterrupted(openAtDaemon(daemon, project));
  if (!options.detach) {
    process.exitCode = await new AttachedCompose(daemon.client, { json: options.json ?? false }).complete(body);
    return;
  }
  const started = await daemon.client.call('POST', '/v1/compose', startedSchema, { body: { ...body, attach: false } });
  if (options.json) printJson(started);
  else printAnswer(started.name);
  printNote(`compose "${started.name}" runs in the background; to see it: drivebay compose ps`);
}
