import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { buildUrl } from '../../../api/request.ts';

/** Menu items that download a skill, one per format. */
export function ExportItems({ name }: { name: string }) {
  const { t } = useTranslation();
  return formats.map(({ format, label }) => (
    <Menu.Item
      key={format}
      component="a"
      href={buildUrl(adminSkillsApi.export, { params: { name }, query: { format } })}
      download
    >
      {t(label)}
    </Menu.Item>
  ));
}

const formats = [
  { format: 'zip', label: 'skillPage.exportZip' },
  { format: 'tar.gz', label: 'skillPage.exportTar' },
  { format: 'json', label: 'skillPage.exportJson' },
] as const;
