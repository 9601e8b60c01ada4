import { SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface DiffLayout {
  /** Whether differences are shown side by side. */
  isSplit: boolean;
  /** The choice, on screens with space for two columns. */
  choice: ReactNode;
}

/** Whether differences are shown in one column or, on a wide screen, in two. */
export function useDiffLayout(): DiffLayout {
  const { t } = useTranslation();
  const isWide = useMediaQuery('(min-width: 64em)', true, { getInitialValueInEffect: false });
  const [isSplit, setSplit] = useState(false);
  const choice = isWide && (
    <SegmentedControl
      aria-label={t('skillPage.layout')}
      size="xs"
      value={isSplit ? 'split' : 'unified'}
      onChange={(value) => setSplit(value === 'split')}
      data={[
        { value: 'unified', label: t('skillPage.unified') },
        { value: 'split', label: t('skillPage.sideBySide') },
      ]}
    />
  );
  return { isSplit: isSplit && isWide, choice };
}
