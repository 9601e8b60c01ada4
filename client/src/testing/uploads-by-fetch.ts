import { vi } from 'vitest';

/** Test helper: uploads by `fetch` with the file's text as the body, so that one fake server is enough. */
export function uploadsByFetch(): void {
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      upload = {};
      status = 0;
      responseText = '';
      onload = () => undefined;
      onerror = () => undefined;
      abort = () => undefined;
      private readonly headers = new Headers();
      private line = { method: '', address: '' };

      open(method: string, address: string) {
        this.line = { method, address };
      }

      setRequestHeader(name: string, value: string) {
        this.headers.set(name, value);
      }

      async send(form: FormData) {
        const { method, address } = this.line;
        const body = JSON.stringify(await textOf(form.get('file') as Blob));
        try {
          const answer = await fetch(address, { method, headers: this.headers, body });
          this.status = answer.status;
          this.responseText = await answer.text();
          this.onload();
        } catch {
          this.onerror();
        }
      }
    },
  );
}

/** jsdom's own files cannot be read directly. */
function textOf(file: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(file);
  });
}
