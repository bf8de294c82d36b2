import { expect, it } from 'vitest'
import { judge } from '../../scripts/lib/traced-program.mjs'

it('an address outside the machine is told with its line, whether or not it was reached', () => {
  const outwards = [
    '7 connect(16, {sa_family=AF_INET6, sin6_port=htons(443), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28 <unfinished ...>',
    '8 sendto(4, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")}, 16) = 1',
  ]
  const local = [
    '7 connect(3, {sa_family=AF_UNIX, sun_path="/run/dbus/system_bus_socket"}, 110) = 0',
    '7 sendto(5, "x", 20, 0, {sa_family=AF_NETLINK, nl_pid=0, nl_groups=00000000}, 12) = 20',
    '9 sendto(6, "x", 1, MSG_NOSIGNAL, NULL, 0) = 1',
  ]
  expect(judge([...local, ...outwards])).toEqual({
    byFamily: { AF_UNIX: 1, AF_NETLINK: 1, AF_INET6: 1, AF_INET: 1 },
    outwards,
  })
})
