import { describe, expect, it } from 'vitest';

import type { Environment } from '../settings/settings.ts';
import { findStateFolder, readStateFolder } from './upload.ts';

const noHome = (): string => '';

describe('findStateFolder', () => {
  it.each([
    [{ XDG_STATE_HOME: '/state', HOME: '/home/a' }, '/state/aftermeet/uploads'],
    [{ HOME: '/home/a' }, '/home/a/.local/state/aftermeet/uploads'],
    [{ XDG_STATE_HOME: '', HOME: '/home/a' }, '/home/a/.local/state/aftermeet/uploads'],
    // The specification of that variable: a relative path is to be ignored.
    [{ XDG_STATE_HOME: 'state', HOME: '/home/a' }, '/home/a/.local/state/aftermeet/uploads'],
  ])('of %j is %s', (environment, folder) => {
    expect(findStateFolder(environment, 'linux', noHome)).toBe(folder);
  });

  it.each([{ HOME: '' }, { HOME: 'home' }, { XDG_STATE_HOME: 'state', USERPROFILE: 'users' }, {}])(
    'of %j is below the home folder that the system knows, or nowhere',
    (environment) => {
      expect(findStateFolder(environment, 'linux', () => '/root')).toBe(
        '/root/.local/state/aftermeet/uploads',
      );
      for (const home of ['', 'home'])
        expect(findStateFolder(environment, 'linux', () => home)).toBeUndefined();
    },
  );

  it('does not exist for a user that the system does not know', () => {
    const findHome = (): string => {
      throw new Error('ENOENT');
    };
    expect(findStateFolder({}, 'linux', findHome)).toBeUndefined();
  });

  it('is below LOCALAPPDATA on Windows', () => {
    expect(findStateFolder({ LOCALAPPDATA: '/local', XDG_STATE_HOME: '/state' }, 'win32')).toBe(
      '/local/aftermeet/uploads',
    );
    expect(findStateFolder({ USERPROFILE: '/users/a' }, 'win32')).toBe(
      '/users/a/AppData/Local/aftermeet/uploads',
    );
  });
});

describe('readStateFolder', () => {
  function read(environment: Environment, json: boolean) {
    let stderr = '';
    const writeError = (text: string): void => {
      stderr += text;
    };
    const context = { environment, isTerminal: false, write: () => {}, writeError };
    return { ...readStateFolder(context, json, noHome), stderr };
  }

  it('is silent about a folder', () => {
    const environment = { HOME: '/home/a', LOCALAPPDATA: '/home/a/.local/state' };
    const stateFolder = '/home/a/.local/state/aftermeet/uploads';
    expect(read(environment, false)).toEqual({ stateFolder, stderr: '' });
  });

  it('tells people, and no machine, that there is none', () => {
    const stderr =
      'There is no home folder for upload state: an interrupted upload cannot be resumed. Set HOME to an absolute path.\n';
    expect(read({ HOME: 'home' }, false)).toEqual({ stderr });
    expect(read({ HOME: 'home' }, true)).toEqual({ stderr: '' });
  });
});
