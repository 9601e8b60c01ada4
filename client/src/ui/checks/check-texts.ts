import type { checkLevels } from '@knowhow/shared/skills/check-settings';
import type { PublicationCheck } from '@knowhow/shared/skills/publication-checks';

/** Names of the levels of checks. */
export const checkLevelTexts = {
  off: 'checks.levels.off',
  advisory: 'checks.levels.advisory',
  required: 'checks.levels.required',
} as const satisfies Record<(typeof checkLevels)[number], string>;

/** Names of checks, and what is true if they pass. */
export const checkTexts = {
  blocked: { name: 'checks.blocked', about: 'checks.blockedAbout' },
  diagnostics: {
    name: 'settings.fields.publishing.checks.diagnostics',
    about: 'settings.fields.publishing.checks.diagnosticsAbout',
  },
  secrets: {
    name: 'settings.fields.publishing.checks.secrets',
    about: 'settings.fields.publishing.checks.secretsAbout',
  },
  scripts: {
    name: 'settings.fields.publishing.checks.scripts',
    about: 'settings.fields.publishing.checks.scriptsAbout',
  },
  dependencies: {
    name: 'settings.fields.publishing.checks.dependencies',
    about: 'settings.fields.publishing.checks.dependenciesAbout',
  },
  links: {
    name: 'settings.fields.publishing.checks.links',
    about: 'settings.fields.publishing.checks.linksAbout',
  },
  size: {
    name: 'settings.fields.publishing.checks.size',
    about: 'settings.fields.publishing.checks.sizeAbout',
  },
  triggers: {
    name: 'settings.fields.publishing.checks.triggers',
    about: 'settings.fields.publishing.checks.triggersAbout',
  },
} as const satisfies Record<PublicationCheck, { name: string; about: string }>;
