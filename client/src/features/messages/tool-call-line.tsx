import type { ToolCall } from '@knowhow/shared/conversations';
import { IconFileText, IconTool } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../ui/bolt.tsx';
import { describeToolCall } from './describe-tool-call.ts';
import classes from './tool-call-line.module.css';

export function ToolCallLine({ call }: { call: ToolCall }) {
  const words = useWords(call);
  const { kind } = describeToolCall(call);
  const Icon = icons[kind];
  // What went well with a skill is said in our own words already.
  const summary = call.error || kind === 'other' ? call.summary : '';
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

function useWords(call: ToolCall): string {
  const { t } = useTranslation();
  const described = describeToolCall(call);
  switch (described.kind) {
    case 'read':
      return call.error ? t('tool.readFailed', described) : t('tool.read', described);
    case 'activate':
      return call.error ? t('tool.activateFailed', described) : t('tool.activated', described);
    case 'other':
      return call.error ? t('tool.failed', described) : t('tool.used', described);
  }
}
