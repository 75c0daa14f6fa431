import { z } from 'zod';
import { openPlugins } from '../../daemon/project/open-plugins';
import { configSchema } from '../../plugins/config-schema';
import { manifestSchema } from '../../plugins/manifest';
import { pathsHere } from '../here';
import { printJson } from '../terminal/print';

/** `schema`: the JSON Schema with which an editor completes and checks the files of users and authors. */
export function printSchema({ of }: { of: 'providers' | 'manifest' }): void {
  if (of === 'manifest') printJson(z.toJSONSchema(manifestSchema, { io: 'input' }));
  else printJson(configSchema(openPlugins(pathsHere(), { environment: process.env })));
}
