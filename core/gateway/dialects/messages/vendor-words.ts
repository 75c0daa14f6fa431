/** The words of this wire that hold the name of the vendor who made it, or of its models. */

/** Several vendors document this prefix for the base URL of the SDKs. */
export const PREFIX = '/anthropic/v1';

export const VERSION_HEADER = 'anthropic-version';

/** Headers of an answer that tell what is left of a limit begin so. */
export const LIMIT_PREFIX = 'anthropic-ratelimit';

export const WIRE_HEADERS: readonly string[] = [VERSION_HEADER, 'anthropic-beta'];

/**
 * A block of the system prompt that tells the vendor which program asks. Some versions of the program change it with
 * every request, which would empty the prompt cache of every other backend.
 */
export const ATTRIBUTION = 'x-anthropic-billing-header:';

/** Names of models that programs of this wire ask for by themselves, without a setting. */
export const FAMILY = /^claude-/;

/** A program of this wire shows only models whose names begin so. */
export const SHOWN = /^(claude|anthropic)/;

/** In front of the name of any model, it makes a name that such a program shows. */
export const SHOWN_PREFIX = 'claude/';

/** How to tell such a program which models to ask for. */
export const MODEL_VARIABLES =
  'set ANTHROPIC_MODEL, ANTHROPIC_DEFAULT_OPUS_MODEL, ANTHROPIC_DEFAULT_SONNET_MODEL and ANTHROPIC_DEFAULT_HAIKU_MODEL to names that it has';
