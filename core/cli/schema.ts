import { z } from 'zod';
import { openPlugins } from '../daemon/project';
import { findPaths } from '../paths';
import { configSchema } from '../plugins/config-schema';
import { manifestSchema } from '../plugins/manifest';
import { printAnswer } from './print';

/** `schema`: what an editor needs to complete and check the files that users and authors write. */
export function printSchema(of: 'providers' | 'manifest'): void {
  const schema =
    of === 'manifest'
      ? z.toJSONSchema(manifestSchema, { io: 'input' })
      : configSchema(openPlugins(findPaths(process.env, process.cwd()), { environment: process.env }));
  printAnswer(JSON.stringify(schema, undefined, 2));
}
