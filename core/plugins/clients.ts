import { z } from 'zod';
import { anyFields, filledText, optionalText, variable } from '../config/field-types';
import { placeholdersIn, PLACEHOLDERS } from './fill-text';

const names = Object.keys(PLACEHOLDERS).map((name) => `{${name}}`);

/** The placeholders of a text or of JSON that do not exist. */
const isKnown = (value: unknown) => placeholdersIn(value).every((name) => Object.hasOwn(PLACEHOLDERS, name));
const isSecret = (value: unknown) => placeholdersIn(value).includes('key');
const KNOWN = `expected no placeholder but ${names.join(', ')}`;

const text = z.string().refine(isKnown, KNOWN);
const json = z.union([text, anyFields.refine(isKnown, KNOWN)]);
// Every user of the machine can see the arguments of a program.
const word = text.refine((value) => !isSecret(value), 'expected no {key}: other users can see the arguments');

const isInside = (path: string) => path !== '' && !path.startsWith('/') && !path.split('/').includes('..');

/** A program that `drivebay launch` starts on the gateway. */
export const launchClientSchema = z
  .looseObject({
    name: z
      .string()
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'expected lower-case words joined by hyphens')
      .describe('What the user types: `drivebay launch NAME`'),
    title: filledText.describe('Its name in tables and messages'),
    programs: z.array(filledText).min(1).describe('Names of the program, the usual one first'),
    install: optionalText.describe('The command that installs it'),
    api: z
      .string()
      .default('chat-completions')
      .describe(
        'The API that it speaks, by its name in the documentation of the gateway. `launch` says so where the gateway does not have it',
      ),
    environment: z
      .record(variable, json.nullable())
      .default({})
      .describe('Variables to set; an object becomes JSON, null takes a variable of the user away'),
    arguments: z
      .array(z.union([word, z.array(word)]))
      .default([])
      .describe('Arguments before those of the user; a list in it stays together'),
    files: z
      .record(z.string(), json)
      .refine((files) => Object.keys(files).every(isInside), 'expected paths inside the folder')
      .default({})
      .describe('Files to write, by their path in a private folder, which is removed when the program ends'),
    asksFor: z
      .array(filledText)
      .default([])
      .describe(
        'The names of models that it asks for without these settings, `*` for any text: the gateway tells the user about `launch`',
      ),
  })
  .describe('A program that `drivebay launch` starts on the gateway');

export type LaunchClient = z.infer<typeof launchClientSchema>;
