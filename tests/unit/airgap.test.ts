import { expect, it } from 'vitest'
import { judge } from '../../scripts/lib/traced-program.mjs'

const local = [
  '7 connect(3<UNIX-STREAM:[5]>, {sa_family=AF_UNIX, sun_path="/run/dbus/system_bus_socket"}, 110) = 0',
  '7 sendto(5<NETLINK:[6]>, "x", 20, 0, {sa_family=AF_NETLINK, nl_pid=0, nl_groups=00000000}, 12) = 20',
  '9 sendto(6<UNIX-STREAM:[7]>, "x", 1, MSG_NOSIGNAL, NULL, 0) = 1',
]

it('an address outside the machine is reported with its line, whether or not it was reached', () => {
  const outwards = [
    '7 connect(16<TCPv6:[8]>, {sa_family=AF_INET6, sin6_port=htons(443), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28 <unfinished ...>',
    '8 sendto(4<UDP:[9]>, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")}, 16) = 1',
  ]
  expect(judge([...local, ...outwards])).toEqual({ local: 2, outwards, unsent: [] })
})

it('a datagram socket with an address outside is told apart until something is sent by it', () => {
  const given =
    '7 connect(4<UDP:[9]>, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")}, 16) = 0'
  const sent = '7 sendto(4<UDP:[10.0.0.2:4711->192.0.2.1:53]>, "x", 1, MSG_NOSIGNAL, NULL, 0) = 1'
  expect(judge([given])).toEqual({ local: 0, outwards: [], unsent: [given] })
  // strace pads process ids to a width of five.
  const padded = given.replace('7 ', '5792  ')
  expect(judge([padded])).toEqual({ local: 0, outwards: [], unsent: [padded] })
  expect(judge([given, sent]).outwards).toEqual([sent])
})
