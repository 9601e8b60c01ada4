import type { StoredFile } from '@knowhow/shared/tools';
import { Anchor, Group, Image, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useFormat } from '../../../ui/use-format.ts';

/** What a call has made: pictures are shown, all else is to be saved; so is what may hold more than a picture. */
export function CallFiles({ files }: { files: readonly StoredFile[] }) {
  const { bytes } = useFormat();
  const pictures = files.filter(({ type }) => /^image\/(?!svg)/.test(type));
  return (
    <Stack gap="xs" my="xs">
      {pictures.map(({ id, name }) => (
        <Image
          key={id}
          src={addressOf(id)}
          alt={name}
          mah={480}
          w="auto"
          maw="100%"
          fit="contain"
        />
      ))}
      <Group gap="md">
        {files.map(({ id, name, size }) => (
          <Anchor key={id} href={addressOf(id)} download={name.split('/').at(-1)} size="sm">
            <Group gap={4} component="span" wrap="nowrap">
              <IconDownload size={15} aria-hidden />
              {`${name} · ${bytes(size)}`}
            </Group>
          </Anchor>
        ))}
      </Group>
    </Stack>
  );
}

function addressOf(id: string): string {
  return `/api/files/${encodeURIComponent(id)}`;
}
