import { SegmentedControl, VisuallyHidden } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconLayoutGrid, IconTable } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './layout-switch.module.css';

const layouts = [
  { value: 'table', Icon: IconTable, label: 'skillList.asTable' },
  { value: 'cards', Icon: IconLayoutGrid, label: 'skillList.asCards' },
] as const;
type Layout = (typeof layouts)[number]['value'];

/** How the list was last looked at, and what remembers another way. */
export function useLayout() {
  return useLocalStorage<Layout>({
    key: 'knowhow-skill-list',
    defaultValue: 'table',
    getInitialValueInEffect: false,
  });
}

interface LayoutSwitchProps {
  layout: Layout;
  onChange: (layout: Layout) => void;
}

/** Shows the list as a table or as cards. */
export function LayoutSwitch({ layout, onChange }: LayoutSwitchProps) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      className={classes.switch}
      aria-label={t('skillList.layout')}
      data={layouts.map(({ value, Icon, label }) => ({
        value,
        label: (
          <span className={classes.choice} title={t(label)}>
            <Icon size={17} aria-hidden />
            <VisuallyHidden>{t(label)}</VisuallyHidden>
          </span>
        ),
      }))}
      value={layout}
      onChange={(value) => onChange(value === 'cards' ? 'cards' : 'table')}
    />
  );
}
