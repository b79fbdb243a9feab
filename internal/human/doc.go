// Package human writes figures and names for people: integers in base units
// come in, short text goes out. Tables and files keep the base units.
//
//	human.Duration(7_530_000)  "2 h 05 min"
//	human.Bytes(1_610_612_736) "1.5 GiB"
//	human.Count(1234567)       "1,234,567"
//	human.Share(0.0423)        "4.2 %"
//
// Names from logs are hostile: Clean and Cut make one harmless line of them.
// What is special to a format (HTML, markdown) is escaped by its writer.
package human
