import { resolve } from 'node:path';

export const repository = resolve(__dirname, '../..');
