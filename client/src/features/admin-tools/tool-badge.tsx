import { useTranslation } from 'react-i18next';
import badge from '../../ui/layout/status-badge.module.css';
import { getToolState, type ListedTool, type ToolState } from './tool-filters.ts';

/** The status of a tool as a coloured badge. */
export function ToolBadge({ listed }: { listed: ListedTool }) {
  const { t } = useTranslation();
  const state = getToolState(listed);
  return (
    <span className={badge.badge} data-status={lookOf[state]}>
      {t(texts[state])}
    </span>
  );
}

const texts = {
  on: 'status.on',
  off: 'status.off',
  'source-off': 'adminTools.states.sourceOff',
  changed: 'adminTools.states.changed',
  fault: 'adminTools.states.fault',
} as const satisfies Record<ToolState, string>;

const lookOf = {
  on: 'on',
  off: 'off',
  'source-off': 'shadowed',
  changed: 'broken',
  fault: 'broken',
} as const satisfies Record<ToolState, string>;
