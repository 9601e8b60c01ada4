import type { SkillOutcome } from '@knowhow/shared/chat/traces';
import { useTranslation } from 'react-i18next';

interface OutcomeText {
  /** The outcome for the skill. */
  title: string;
  /** The reason. */
  reason?: string;
  /** The next step. */
  next?: string;
}

/** Explains a skill's outcome in an answer, and how to change it. */
export function useOutcomeText(): (name: string, outcome: SkillOutcome) => OutcomeText {
  const { t } = useTranslation();
  return (name, { outcome, rule = '', via = '', version }) => {
    if (outcome === 'activated') {
      const used = version === undefined ? [] : [t('trace.outcome.version', { number: version })];
      return rule === 'already-active'
        ? { title: t('trace.outcome.alreadyActive', { name }), ...joinReasons(used) }
        : {
            title: t('trace.outcome.activated', { name }),
            ...joinReasons([
              ...(Object.hasOwn(vias, via) ? [t(vias[via as keyof typeof vias])] : []),
              ...used,
            ]),
          };
    }
    const known = Object.hasOwn(rules, rule) ? rules[rule as keyof typeof rules] : undefined;
    const { reason, next = steps[outcome] } = known ?? {};
    return {
      title: t(titles[outcome], { name }),
      ...(reason ? { reason: t(reason) } : {}),
      next: t(next),
    };
  };
}

function joinReasons(reasons: readonly string[]): Pick<OutcomeText, 'reason'> {
  return reasons.length > 0 ? { reason: reasons.join(' ') } : {};
}

const vias = {
  model: 'trace.outcome.viaModel',
  slash: 'trace.outcome.viaSlash',
  api: 'trace.outcome.viaApi',
  app: 'trace.outcome.viaApp',
  router: 'trace.outcome.viaRouter',
} as const;

const titles = {
  'not-visible': 'trace.outcome.notVisible',
  'left-out': 'trace.outcome.leftOut',
  shortened: 'trace.outcome.shortened',
  'not-chosen': 'trace.outcome.notChosen',
  refused: 'trace.outcome.refused',
} as const;

/** The default, if the rule has no other step. */
const steps = {
  'not-visible': 'trace.step.askAdmin',
  'left-out': 'trace.step.makeRoom',
  shortened: 'trace.step.shorten',
  'not-chosen': 'trace.step.describe',
  refused: 'trace.step.pick',
} as const;

interface Rule {
  reason: `trace.rule.${RuleName}`;
  next?: `trace.step.${StepName}`;
}

type Texts = typeof import('../../../../locales/en/chat.json')['trace'];
type RuleName = keyof Texts['rule'];
type StepName = keyof Texts['step'];

const rules: Record<string, Rule> = {
  broken: { reason: 'trace.rule.broken', next: 'trace.step.fix' },
  shadowed: { reason: 'trace.rule.shadowed', next: 'trace.step.fix' },
  off: { reason: 'trace.rule.off', next: 'trace.step.switchOn' },
  'app-off': { reason: 'trace.rule.appOff' },
  'app-not-granted': { reason: 'trace.rule.appNotGranted', next: 'trace.step.grantApp' },
  'skill-not-granted': { reason: 'trace.rule.skillNotGranted', next: 'trace.step.grant' },
  'not-in-app': { reason: 'trace.rule.notInApp', next: 'trace.step.addToApp' },
  excluded: { reason: 'trace.rule.excluded', next: 'trace.step.addToApp' },
  'off-in-conversation': {
    reason: 'trace.rule.offInConversation',
    next: 'trace.step.switchOnHere',
  },
  'visible-now': { reason: 'trace.rule.visibleNow', next: 'trace.step.askAgain' },
  'no-such-skill': { reason: 'trace.rule.noSuchSkill', next: 'trace.step.checkName' },
  budget: { reason: 'trace.rule.budget' },
  'search-only': { reason: 'trace.rule.searchOnly', next: 'trace.step.search' },
  'catalogue-off': { reason: 'trace.rule.catalogueOff', next: 'trace.step.pick' },
  'user-only': { reason: 'trace.rule.userOnly', next: 'trace.step.pick' },
  'named-with-message': { reason: 'trace.rule.named' },
  'found-by-search': { reason: 'trace.rule.found' },
  router: { reason: 'trace.rule.router' },
  'no-tools': { reason: 'trace.rule.noTools', next: 'trace.step.tools' },
  'not-available': { reason: 'trace.rule.notAvailable', next: 'trace.step.checkName' },
  'too-many-active-skills': { reason: 'trace.rule.tooMany', next: 'trace.step.end' },
  'called-before': { reason: 'trace.rule.calledBefore' },
  'too-many-calls': { reason: 'trace.rule.tooManyCalls' },
  'no-room': { reason: 'trace.rule.noRoom', next: 'trace.step.room' },
  'wrong-arguments': { reason: 'trace.rule.wrongArguments' },
};
