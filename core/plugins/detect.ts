import { z } from 'zod';
import { anyFields, filledText, noTexts, optionalText, variable } from '../config/field-types';
import { PROVIDER_NAME } from '../config/schema';

/** The provider that a sighting makes. `explainDetect` checks its other fields. */
const provider = z
  .looseObject({ name: z.string().regex(PROVIDER_NAME) })
  .describe('The entry to write: `name`, and values for options of this driver or of every provider');

const path = z.string().regex(/^\//, 'expected a path that starts with "/"');

const binary = z
  .looseObject({
    names: z.array(filledText).min(1).describe('Names of the program, the usual one first'),
    directories: noTexts.describe(
      'Where to look after the PATH and the folders that installers use (see `userFolders` of `resolveBinary`)',
    ),
    install: optionalText.describe('The command that installs it and logs it in'),
    provider,
  })
  .describe('A program; `check` of the driver has the last word on whether it is the right one');

const key = z
  .looseObject({
    variables: z
      .array(variable)
      .min(1)
      .describe('Variables that may hold the key; the first one that is set becomes `api_key_env`'),
    models: z
      .array(filledText)
      .default([])
      .describe(
        'Models for `default_model`, the best choice first: the first one that `models()` of the driver lists. `*` stands for any text; of several matches the highest version counts',
      ),
    get: optionalText.describe('Where to get a key: an address'),
    server: variable
      .optional()
      .describe(
        'Variable that sends the SDKs of the vendor to another server: if it is set in the environment to another host than that of the default `base_url`, the key is of that server, and `init` sends it nowhere',
      ),
    provider,
  })
  .describe('An API key in a variable');

const modelList = z
  .looseObject({
    path: path.describe('Asked by GET on the same port'),
    list: filledText.describe('The field of the JSON answer that holds the list'),
    name: filledText.describe('The field of an item that holds the name of the model'),
    only: anyFields.optional().describe('JSON Schema that an item must fit to count'),
  })
  .describe('A list of models in an answer');

const port = z
  .looseObject({
    port: z.int().min(1).max(65_535).describe('Port on 127.0.0.1'),
    path: path.describe('Asked by GET, to tell this server from others that may have the port'),
    answer: anyFields.describe('JSON Schema that the JSON answer must fit; name the `type` at each level'),
    models: z
      .array(modelList)
      .default([])
      .describe('Where its models are named, those that are loaded first; the first name becomes `default_model`'),
    start: optionalText.describe('The command that installs or starts it'),
    load: optionalText.describe('The command that gives a running server its first model'),
    provider,
  })
  .describe('A local server');

export const detectSchema = z
  .looseObject({
    binaries: z.array(binary).default([]).describe('Programs that are on the machine'),
    keys: z.array(key).default([]).describe('Keys in the environment, or in the .env files of the project'),
    ports: z.array(port).default([]).describe('Servers on the loopback interface'),
  })
  .describe('How `drivebay init` finds this backend, and what it writes then');

export type DetectedBinary = z.infer<typeof binary>;
export type DetectedKey = z.infer<typeof key>;
export type DetectedPort = z.infer<typeof port>;
export type ModelListPlace = z.infer<typeof modelList>;
