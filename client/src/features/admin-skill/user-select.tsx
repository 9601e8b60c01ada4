import { adminUsersApi, type User } from '@knowhow/shared/access/admin-users';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';

interface UserSelectProps {
  value: User | undefined;
  onChange: (user: User | undefined) => void;
}

/** A user select with search by name. */
export function UserSelect({ value, onChange }: UserSelectProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  // The field contains the selected user's name, which is not a search.
  const wanted = value && search === getLabel(value) ? '' : search.trim();
  const [asked] = useDebouncedValue(wanted, 200);
  const users = useQuery({
    ...query(adminUsersApi.list, { query: { limit: 20, ...(asked && { query: asked }) } }),
    placeholderData: keepPreviousData,
  });
  const found = users.data?.items ?? [];
  const known = value && !found.some(({ id }) => id === value.id) ? [value, ...found] : found;
  return (
    <Select
      label={t('skillPage.user')}
      placeholder={t('skillPage.searchUser')}
      value={value?.id ?? null}
      onChange={(chosen) => onChange(known.find(({ id }) => id === chosen))}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      // The server has already filtered.
      filter={({ options }) => options}
      nothingFoundMessage={t('skillPage.noSuchUser')}
      data={known.map((user) => ({ value: user.id, label: getLabel(user) }))}
    />
  );
}

function getLabel({ name, username }: User): string {
  return name === username ? name : `${name} (${username})`;
}
