import type { CallReason, ToolCall } from '@knowhow/shared/conversations';
import { IconFileText, IconTool } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import { describeToolCall } from './describe-tool-call.ts';
import classes from './tool-call-line.module.css';

export function ToolCallLine({ call }: { call: ToolCall }) {
  const { t } = useTranslation();
  const words = useWords(call);
  const { kind } = describeToolCall(call);
  const Icon = icons[kind];
  // What went well with a skill is said in our own words already.
  const text = call.error || kind === 'other' ? call.summary : '';
  const reason = entryOf(reasons, text);
  const summary = reason === undefined ? text : t(reason);
  return (
    <p className={classes.line} title={words}>
      <Icon size={15} aria-hidden />
      <span>
        {words}
        {summary && ` · ${summary}`}
      </span>
    </p>
  );
}

const icons = { read: IconFileText, activate: Bolt, other: IconTool };

/** What the server says of a call, in words of the user's language. */
const reasons = {
  'already active': 'tool.reason.alreadyActive',
  'arguments too long': 'tool.reason.tooLong',
  'called before': 'tool.reason.calledBefore',
  'cannot be read': 'tool.reason.unreadable',
  'no such category': 'tool.reason.noCategory',
  'no such file': 'tool.reason.noFile',
  'no such page': 'tool.reason.noPage',
  'no such tool': 'tool.reason.noTool',
  failed: 'tool.reason.failed',
  'not active': 'tool.reason.notActive',
  'not allowed': 'tool.reason.notAllowed',
  stopped: 'tool.reason.stopped',
  'took too long': 'tool.reason.tookTooLong',
  'not available': 'tool.reason.notAvailable',
  'nothing found': 'tool.reason.nothing',
  'too many active skills': 'tool.reason.tooMany',
  'too many calls': 'tool.reason.tooManyCalls',
  'wrong arguments': 'tool.reason.arguments',
} as const satisfies Record<CallReason, string>;

/** What the tools are called where the call itself does not say what it was for. */
const toolNames = {
  activate_skill: 'tool.name.activate',
  read_skill_resource: 'tool.name.read',
  search_skills: 'tool.name.search',
  list_skills: 'tool.name.list',
} as const;

/** What a table has for a word that may be anything. */
function entryOf<Value>(table: Record<string, Value>, word: string): Value | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

function useWords(call: ToolCall): string {
  const { t } = useTranslation();
  const described = describeToolCall(call);
  switch (described.kind) {
    case 'read':
      return call.error ? t('tool.readFailed', described) : t('tool.read', described);
    case 'activate':
      return call.error ? t('tool.activateFailed', described) : t('tool.activated', described);
    case 'other': {
      const name = entryOf(toolNames, described.tool);
      const tool = name === undefined ? described.tool : t(name);
      return call.error ? t('tool.failed', { tool }) : t('tool.used', { tool });
    }
  }
}
