import { z } from 'zod';

const price = z.number().min(0);

const modelPrices = z
  .strictObject({
    input: price.describe('Input that no cache has to do with'),
    cached_input: price.optional().describe('Input that was read from a cache; absent: as input'),
    cache_write: price.optional().describe('Input that was written to a cache; absent: as input'),
    long_cache_write: price
      .optional()
      .describe('The same for a cache that keeps it for an hour, not for minutes; absent: as cache_write'),
    audio_input: price.optional().describe('Input that is sound; absent: as input'),
    output: price.describe('Output, reasoning included'),
    audio_output: price.optional().describe('Output that is sound; absent: as output'),
    image_output: price.optional().describe('Output that is pictures; absent: as output'),
  })
  .describe('US dollars per million tokens');

export const modelFacts = z
  .strictObject({
    context_window: z
      .int()
      .positive()
      .optional()
      .describe('How many tokens the model can read and write in one conversation'),
    usd_per_mtok: modelPrices.optional(),
  })
  .describe('What is known of one model');
