import { z } from 'zod';
import { openPlugins } from '../../daemon/project/open-plugins';
import { findPaths } from '../../paths';
import { configSchema } from '../../plugins/config-schema';
import { manifestSchema } from '../../plugins/manifest';
import { printJson } from '../terminal/print';
import { workingDirectory } from '../working-directory';

/** `schema`: what an editor needs to complete and check the files that users and authors write. */
export function printSchema(of: 'providers' | 'manifest'): void {
  const schema =
    of === 'manifest'
      ? z.toJSONSchema(manifestSchema, { io: 'input' })
      : configSchema(openPlugins(findPaths(process.env, workingDirectory()), { environment: process.env }));
  printJson(schema);
}
