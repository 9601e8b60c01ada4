import { Button, TextInput } from '@mantine/core';
import { IconBrandGit } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './address-form.module.css';
import type { AddressInput } from './read-address.ts';

interface AddressFormProps {
  /** The last entry, to correct it. */
  last: AddressInput | undefined;
  onAddress: (address: AddressInput) => void;
}

/** Asks for the address of a git repository, and optionally for a ref and a folder. */
export function AddressForm({ last, onAddress }: AddressFormProps) {
  const { t } = useTranslation();
  const [address, setAddress] = useState(last?.address ?? '');
  const [ref, setRef] = useState(last?.ref ?? '');
  const [path, setPath] = useState(last?.path ?? '');

  function submit(event: FormEvent) {
    event.preventDefault();
    const [wantedRef, wantedPath] = [ref.trim(), path.trim()];
    onAddress({
      address: address.trim(),
      ...(wantedRef === '' ? {} : { ref: wantedRef }),
      ...(wantedPath === '' ? {} : { path: wantedPath }),
    });
  }

  return (
    <form className={classes.form} aria-labelledby="import-address" onSubmit={submit}>
      <h3 id="import-address" className={classes.title}>
        {t('skillImport.fromAddress')}
      </h3>
      <TextInput
        label={t('skillImport.address')}
        description={t('skillImport.addressAbout')}
        placeholder={t('skillImport.addressExample')}
        value={address}
        maxLength={2000}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      <div className={classes.pair}>
        <TextInput
          label={t('skillImport.ref')}
          placeholder={t('skillImport.refDefault')}
          value={ref}
          maxLength={200}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setRef(event.currentTarget.value)}
        />
        <TextInput
          label={t('skillImport.folder')}
          placeholder={t('skillImport.folderDefault')}
          value={path}
          maxLength={1000}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          disabled={address.trim() === ''}
          leftSection={<IconBrandGit size={17} aria-hidden />}
        >
          {t('skillImport.readAddress')}
        </Button>
      </div>
    </form>
  );
}
