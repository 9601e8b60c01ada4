import type { ToolCall } from '@knowhow/shared/chat/conversations';
import { IconFileText, IconTool } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import { useToolLabel } from '../../ui/text/use-tool-label.ts';
import { describeToolCall } from './describe-tool-call.ts';
import classes from './tool-call-line.module.css';
import { useReasonText } from './use-reason-text.ts';

/** A line for a call of a built-in skill tool. */
export function ToolCallLine({ call }: { call: ToolCall }) {
  const { t } = useTranslation();
  const words = useWords(call);
  const { kind } = describeToolCall(call);
  const Icon = icons[kind];
  // A successful skill call already has a description of its own.
  const text = call.error || kind === 'other' ? call.summary : '';
  const reasonText = useReasonText();
  const isCount = kind === 'other' && /^\d+$/.test(text);
  const summary = isCount ? t('tool.found', { count: Number(text) }) : reasonText(text);
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

const searches = {
  search_skills: 'tool.searchedSkills',
  search_tools: 'tool.searchedTools',
} as const;

/** Looks up an arbitrary word in a table, without its prototype. */
function getOwnEntry<Value>(table: Record<string, Value>, word: string): Value | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

function useWords(call: ToolCall): string {
  const { t } = useTranslation();
  const labelOf = useToolLabel();
  const described = describeToolCall(call);
  switch (described.kind) {
    case 'read':
      return call.error ? t('tool.readFailed', described) : t('tool.read', described);
    case 'activate':
      return call.error ? t('tool.activateFailed', described) : t('tool.activated', described);
    case 'other': {
      const { title: tool } = labelOf({ title: described.tool, toolKey: described.tool });
      const did = getOwnEntry(searches, described.tool);
      return call.error ? t('tool.failed', { tool }) : t(did ?? 'tool.used', { tool });
    }
  }
}
