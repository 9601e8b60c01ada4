import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { projectDirectory } from './project.ts';

const read = (path: string) => readFileSync(join(projectDirectory, path), 'utf8');

test('the proxy of several servers sends to those that Compose starts, and asks whether they are ready', () => {
  const { services, volumes } = parse(read('docker-compose.yml'));
  const proxy = read('deploy/haproxy.cfg');
  const servers = [...proxy.matchAll(/^ {2}server \w+ ([\w.]+):(\d+)$/gm)];
  expect(servers.map(([, name]) => name)).toEqual(['knowhow', 'knowhow2']);
  for (const [, name = '', port] of servers) {
    expect(services[name].environment.PORT).toBe(port);
    expect(services[name].image).toBe('knowhow');
  }
  expect(services.proxy.volumes).toContain(
    './deploy/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro',
  );
  for (const name of ['knowhow2', 'proxy', 'postgres']) {
    expect(services[name].profiles).toContain('cluster');
  }
  const { CONTENTS_DIR, DATA_DIR } = services.knowhow2.environment;
  expect(CONTENTS_DIR.startsWith(DATA_DIR)).toBe(true);
  expect(Object.keys(volumes)).toContain('data2');
  // Without a host, the server takes no request.
  expect(proxy).toMatch(/http-check send .*uri \/api\/ready .*hdr Host \w+/);
});

test('the manifest for Kubernetes has a server with the folders of the image, and a service before it', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml'));
  const [deployment, service] = documents.map((document) => document.toJS());
  const [container] = deployment.spec.template.spec.containers;
  expect(service.spec.selector).toEqual(deployment.spec.template.metadata.labels);
  expect(service.spec.ports[0].targetPort).toBe(container.ports[0].containerPort);
  const contents = container.env.find(({ name }: { name: string }) => name === 'CONTENTS_DIR');
  const [{ mountPath }] = container.volumeMounts;
  expect(contents.value.startsWith(mountPath)).toBe(true);
  expect(container.readinessProbe.httpGet.path).toBe('/api/ready');
  expect(read('Dockerfile')).toContain(`DATA_DIR=${mountPath}`);
});
